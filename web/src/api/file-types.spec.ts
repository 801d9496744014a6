import { mediaTypeOf } from './file-types';

describe('The type of a file', () => {
  it.each([
    ['a.JPG', '', 'image/jpeg'],
    ['a.heif', 'image/heif', 'image/heic'],
    ['a.txt', 'text/plain', 'text/plain'],
    ['a', '', 'application/octet-stream'],
    ['a.constructor', '', 'application/octet-stream'],
    ['a.__proto__', 'image/png', 'image/png'],
  ])('of %s, which the browser calls "%s", is %s', (name, type, expected) => {
    expect(mediaTypeOf({ name, type })).toBe(expected);
  });
});
