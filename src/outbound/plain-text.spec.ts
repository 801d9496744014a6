import { plainText } from './plain-text.js';

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
    ['control and bidi characters', 'a\u0000\u001b[31mb\u202ec\u200bd\r\ne', 'a [31mb c d e'],
    ['bytes that are not UTF-8', Buffer.from([0x61, 0xff, 0xfe, 0x62]), 'a b'],
    ['nothing', '', ''],
  ])('is short and without HTML: %s', (_what, response, expected) => {
    expect(plainText(response)).toBe(expected);
  });

  it('is truncated after 200 characters, between characters', () => {
    expect(plainText('x'.repeat(200))).toBe('x'.repeat(200));
    expect([...plainText('😀'.repeat(300))]).toHaveLength(200);
    expect(plainText('😀'.repeat(5_000)).isWellFormed()).toBe(true);
  });

  it('takes little time for hostile pages', () => {
    for (const part of ['<script', '<', '&', '<style>', '&#1', '</']) {
      expect(plainText(part.repeat(500_000)).length).toBeLessThanOrEqual(200);
    }
  });
});
