import { unicodeHostOf } from './unicode-host.js';

describe('the host name of an address, in Unicode', () => {
  it.each([
    ['https://bakery.example/', 'bakery.example'],
    ['https://xn--bckerei-5wa.example/', 'bäckerei.example'],
    ['https://bäckerei.example/', 'bäckerei.example'],
    ['http://127.0.0.1/', '127.0.0.1'],
  ])('of %s is %s', (url, host) => expect(unicodeHostOf(new URL(url))).toBe(host));

  it.each(['xn--a', 'www.xn--a.example'])('is missing if %s cannot be decoded', (hostname) =>
    // Not as a URL, because older versions of Node reject it.
    expect(unicodeHostOf({ hostname } as URL)).toBeNull(),
  );
});
