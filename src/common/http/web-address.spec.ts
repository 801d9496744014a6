import { webAddress } from './web-address.js';

describe('webAddress', () => {
  it('returns what a link leads to', () => {
    expect(webAddress('https://site.example/a.jpg?b#c')).toBe('https://site.example/a.jpg?b#c');
    expect(webAddress('https://site.example/@me/日')).toBe('https://site.example/@me/%E6%97%A5');
    expect(webAddress('/@me/7', 'https://api.example/upload')).toBe('https://api.example/@me/7');
  });

  it.each([
    '',
    'a b',
    'site.example',
    'javascript:alert(1)',
    'data:text/html,x',
    'https://user@site.example/',
    'https://@site.example/',
    'https:\\\\@site.example/',
    'https://:@site.example/',
    'https://site.example/\u202egpj',
    'https://site.example/\nx',
    `https://site.example/${'a'.repeat(2_048)}`,
    `https://site.example/${'日'.repeat(300)}`,
  ])('is null for %j', (text) => {
    expect(webAddress(text)).toBeNull();
  });

  it('knows credentials in a relative address', () => {
    expect(webAddress('//user:x@site.example/', 'https://api.example/upload')).toBeNull();
  });
});
