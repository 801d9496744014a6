import { readApiError } from './api-error.js';

describe('Errors of an API', () => {
  it('have a code and a message without HTML', () => {
    const errorOf = (text: string) => readApiError({ body: Buffer.from(text), conceal: (said) => said });
    expect(errorOf('{"code":"rest_cannot_create","message":"<strong>Sorry</strong>, no."}')).toEqual({
      code: 'rest_cannot_create',
      message: 'Sorry , no.',
    });
    expect(errorOf('{"code":7}')).toBeNull();
    expect(errorOf('[]')).toBeNull();
    expect(errorOf('<html>')).toBeNull();
  });
});
