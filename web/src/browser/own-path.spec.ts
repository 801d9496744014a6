import { ownPath } from './own-path';

const OURS = 'https://assets.example';

describe('Where a page may send the user after sign-in', () => {
  it.each([
    ['/', '/'],
    ['/library', '/library'],
    ['/clients/demo/assets?tags=a&tags=b#top', '/clients/demo/assets?tags=a&tags=b#top'],
    ['/clients/demo/assets?q=http://other.example/', '/clients/demo/assets?q=http://other.example/'],
    ['/clients/caf%C3%A9/assets', '/clients/caf%C3%A9/assets'],
    ['/clients/../users', '/users'],
    ['/sign-in?next=/library', '/sign-in?next=/library'],
  ])('accepts %j as %j', (address, path) => {
    expect(ownPath(address, OURS)).toBe(path);
  });

  it.each([
    undefined,
    '',
    'library',
    '?q=x',
    'http://other.example/',
    'HTTPS://other.example/',
    'https:other.example',
    'https:/other.example',
    `${OURS}/library`,
    `${OURS}.other.example/`,
    `${OURS}@other.example/`,
    '//other.example/',
    '///other.example/',
    '/\\other.example/',
    '\\\\other.example/',
    '\\/other.example/',
    '/\t/other.example/',
    '/\n/other.example/',
    '\t//other.example/',
    ' http://other.example/',
    '\u0000http://other.example/',
    '\u00a0//other.example/',
    'ht\ntp://other.example/',
    '/.//other.example/',
    '/%2e//other.example/',
    '/library/..//other.example/',
    '/library/..\\/other.example/',
    '//assets.example//other.example/',
    'javascript:alert(1)',
    ' java\nscript:alert(1)',
    'data:text/html,hello',
    'blob:https://assets.example/1',
    '//[',
  ])('rejects %j', (address) => {
    expect(ownPath(address, OURS)).toBeUndefined();
  });

  it('leaves encoded slashes in the path, where they separate nothing', () => {
    expect(ownPath('/%2F/other.example', OURS)).toBe('/%2F/other.example');
    expect(ownPath('/%5Cother.example', OURS)).toBe('/%5Cother.example');
  });
});
