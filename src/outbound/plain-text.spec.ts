import { concealing } from './conceal.js';
import { plainText } from './plain-text.js';

const ANONYMOUS = { conceal: concealing(undefined) };

describe('The text of a response', () => {
  it.each([
    ['plain text', 'Not today.', 'Not today.'],
    [
      'a page',
      '<html><head><title>Oops</title></head><body><p>Try&nbsp;again</p></body></html>',
      'Oops Try again',
    ],
    ['script', 'a<script>alert("<b>")</script>b<style>p{}</style >c', 'a b c'],
    ['script without an end', 'a<script>alert(1)', 'a'],
    ['a tag without an end', 'a<img src=x onerror=alert(1)', 'a'],
    ['escaped tags', '&lt;script&gt;alert(1)&#60;/script&#62;', 'script alert(1) /script'],
    ['hexadecimal entities', 'a&#x20;&#X41;&#xZ;', 'a A&#xZ;'],
    ['control and bidi characters', 'a\u0000\u001b[31mb\u202ec\u200bd\r\ne', 'a [31mb c d e'],
    ['bytes that are not UTF-8', Buffer.from([0x61, 0xff, 0xfe, 0x62]), 'a b'],
    ['nothing', '', ''],
  ])('is short and without HTML: %s', (_what, response, expected) => {
    expect(plainText(response, ANONYMOUS)).toBe(expected);
  });

  it('is truncated after 200 characters, between characters', () => {
    expect(plainText('x'.repeat(200), ANONYMOUS)).toBe('x'.repeat(200));
    expect([...plainText('😀'.repeat(300), ANONYMOUS)]).toHaveLength(200);
    expect(plainText('😀'.repeat(5_000), ANONYMOUS).isWellFormed()).toBe(true);
  });

  it('contains none of the credentials, even where it is truncated or they are written as entities', () => {
    const response = { conceal: concealing('Bearer abcdefghijklmnop') };
    expect(plainText(`${'x '.repeat(92)}abcdefghijklmnop`, response)).toMatch(/x \[hidden\]$/);
    for (const entity of [(code: number) => `&#${code};`, (code: number) => `&#x${code.toString(16)};`]) {
      const encoded = [...'abcdefghijklmnop'].map((each) => entity(each.charCodeAt(0))).join('');
      expect(plainText(`<p>Bearer ${encoded}</p>`, response)).toBe('Bearer [hidden]');
    }
  });

  it('takes little time for hostile pages', () => {
    for (const part of ['<script', '<', '&', '<style>', '&#1', '</']) {
      expect(plainText(part.repeat(500_000), ANONYMOUS).length).toBeLessThanOrEqual(200);
    }
  });
});
