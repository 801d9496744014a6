import { followedRedirect, homeOf, linkInHeader, linkInPage, sameSite } from './wordpress-discovery.rules.js';

describe('The REST API address that a site announces', () => {
  it.each([
    ['<https://a.example/wp-json/>; rel="https://api.w.org/"', 'https://a.example/wp-json/'],
    [
      '<https://a.example/?p=1>; rel=shortlink, <https://a.example/wp-json/>; rel="https://api.w.org/"',
      'https://a.example/wp-json/',
    ],
    [
      '<https://a.example/index.php?rest_route=/>; rel="https://api.w.org/"; title="x"',
      'https://a.example/index.php?rest_route=/',
    ],
    ['<https://a.example/wp-json/>;rel=https://api.w.org/', 'https://a.example/wp-json/'],
    ['<https://a.example/wp-json/wp/v2/pages/2>; rel="alternate"; type="application/json"', null],
    ['nonsense', null],
    ['<'.repeat(50_000), null],
    [undefined, null],
  ])('is read from the header %j', (header, root) => expect(linkInHeader(header)).toBe(root));

  it.each([
    [
      `<head><link rel="https://api.w.org/" href="https://a.example/wp-json/" /></head>`,
      'https://a.example/wp-json/',
    ],
    [
      `<LINK href='https://a.example/index.php?a=b&#038;rest_route=/' rel='https://api.w.org/'>`,
      'https://a.example/index.php?a=b&rest_route=/',
    ],
    [`<link rel="stylesheet" href="/a.css"><a href="https://api.w.org/">`, null],
    ['<link '.repeat(50_000), null],
  ])('is read from a page', (html, root) => expect(linkInPage(html)).toBe(root));

  it.each([
    ['https://a.example/wp-json/', 'https://a.example/', 'https://a.example/wp-json/'],
    ['http://a.example/wp-json/?x=1', 'https://a.example/', 'https://a.example/wp-json/?x=1'],
    ['https://a.example/wp-json/', 'http://a.example/', 'https://a.example/wp-json/'],
    ['https://b.example/wp-json/', 'https://a.example/', null],
    ['https://a.example:8443/wp-json/', 'https://a.example/', null],
    ['https://u:p@a.example/wp-json/', 'https://a.example/', null],
    ['file://a.example/wp-json/', 'https://a.example/', null],
  ])('%s on the page %s is used as %s', (root, page, used) => {
    expect(sameSite(new URL(root), new URL(page))).toBe(used);
  });
});

describe('Redirects', () => {
  it.each([
    ['http://a.example/', 'https://a.example/', 'https://a.example/'],
    ['https://a.example/', '/de/', 'https://a.example/de/'],
    ['https://a.example/', 'https://www.a.example/', null],
    ['https://a.example/', 'http://a.example/', null],
    ['https://a.example/', 'https://a.example:8443/', null],
    ['https://a.example/', 'https://u:p@a.example/', null],
    ['https://a.example/', 'ftp://a.example/', null],
    ['https://a.example/', 'https://[', null],
    ['https://a.example/', '', null],
  ])('from %s to %j lead to %s', (from, location, followed) => {
    expect(followedRedirect(from, location)).toBe(followed);
  });
});

describe('The home address of a WordPress site', () => {
  it.each([
    ['https://bakery.example', 'https://bakery.example'],
    ['https://bakery.example///', 'https://bakery.example'],
    ['https://bakery.example/blog/', 'https://bakery.example/blog'],
    ['https://bakery.example/wp-admin', 'https://bakery.example'],
    ['https://bakery.example/wp-admin/profile.php?x=1', 'https://bakery.example'],
    ['https://bakery.example/blog/wp-login.php?redirect_to=x', 'https://bakery.example/blog'],
    ['https://bakery.example/wp-json/wp/v2/', 'https://bakery.example'],
    ['https://bakery.example/index.php?rest_route=/', 'https://bakery.example'],
    ['https://bakery.example/wp-admin-tips/', 'https://bakery.example/wp-admin-tips'],
  ])('is found in %s', (text, base) => expect(homeOf(new URL(text))).toBe(base));
});
