import { readTargetUrl } from './target-url.rules.js';

const read = (text: string) => {
  const result = readTargetUrl(text);
  return 'url' in result ? result.url.href : Object.keys(result)[0];
};

describe('The address of a target', () => {
  it.each([
    ['https://bakery.example', 'https://bakery.example/'],
    ['HTTPS://Bakery.Example:443/Files?a=b#top', 'https://bakery.example/Files?a=b'],
    ['http://bäckerei.example/', 'http://xn--bckerei-5wa.example/'],
    ['http://xn--bckerei-5wa.example/', 'http://xn--bckerei-5wa.example/'],
    ['https://пекарня.рф/', 'https://xn--80ajpngj0i.xn--p1ai/'],
    ['https://пекарня.example/', 'https://xn--80ajpngj0i.example/'],
    ['https://сосо.рф/', 'https://xn--n1aahb.xn--p1ai/'],
    ['https://раураl.example/', 'https://xn--l-7sba6dbr.example/'],
    ['https://パン屋abc.example/', 'https://xn--abc-vn4bugq47w.example/'],
    ['https://빵집.example/', 'https://xn--oy3bu1s.example/'],
    ['http://0x7f.1/', 'http://127.0.0.1/'],
    ['http://[::1]:8080/', 'http://[::1]:8080/'],
    // Numbers are addresses, with or without a dot.
    ['http://127.0.0.1./', 'http://127.0.0.1/'],
  ])('%s is stored as %s', (text, stored) => expect(read(text)).toBe(stored));

  it.each([
    'ftp://bakery.example/',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'bakery.example',
    '//bakery.example/',
    'https:bakery.example',
    'https:///bakery.example',
    'https://',
    'https://user@bakery.example/',
    'https://user:password@bakery.example/',
    'https://@bakery.example/',
    'https://:@bakery.example/',
    'https://bakery.example./',
    'http://localhost./',
    'https://bakery .example/',
    'https://bakery.example/a b',
    'https://bak\tery.example/',
    'https://bakery.example\n/',
    'https://bakery.example\\@evil.example/',
    'https://bakery\u200b.example/',
    'https://bakery.example/\u202e',
    'https://bakery.example:99999/',
    'https://xn--a/',
    'https://xn--.example/',
    'https://xn--80ak6aa92e.xn--a/',
    'https://bakery.xn--a.example/',
    'https://[::1/',
    'https://256.256.256.256/',
    `https://bakery.example/${'x'.repeat(3_000)}`,
    '',
  ])('%j is not valid', (text) => expect(read(text)).toBe('invalid'));
});
