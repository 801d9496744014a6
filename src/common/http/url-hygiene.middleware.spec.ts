import type { Request, Response } from 'express';
import { parse } from 'node:querystring';
import { Problem } from '../errors/problem.js';
import { urlHygiene } from './url-hygiene.middleware.js';

describe('The check of URLs', () => {
  const check = (url: string) => {
    const [path, query = ''] = url.split('?', 2);
    const next = jest.fn();
    urlHygiene({ url, path, query: parse(query) } as unknown as Request, {} as Response, next);
    expect(next).toHaveBeenCalledWith();
  };

  it.each(['/', '/auth/me', '/preview?size=small', '/assets?q=a+b', '/assets?q=%C3%A4&limit=5', '/a%20b'])(
    'lets %s through',
    (url) => check(url),
  );

  it.each([
    '/a%00b',
    '/a%ff',
    '/a?b=%00',
    '/a?%00=b',
    ...['prototype', ...Object.getOwnPropertyNames(Object.prototype)].map((name) => `/a?${name}=b`),
    `/a?${'x'.repeat(101)}=b`,
    `/a?${'x=1&'.repeat(101)}`,
    `/a${'&'.repeat(101)}`,
  ])('rejects %s', (url) => expect(() => check(url)).toThrow(Problem));
});
