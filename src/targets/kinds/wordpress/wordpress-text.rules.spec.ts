import { escapeAltText, escapeContent, escapeHtml } from './wordpress-text.rules.js';

describe('escapeHtml', () => {
  it('leaves nothing that a browser would execute or parse as markup', () => {
    expect(escapeHtml(`<script>alert("1")</script> & 'x'`)).toBe(
      `&lt;script&gt;alert("1")&lt;/script&gt; & 'x'`,
    );
    expect(escapeHtml('<img src=x onerror=alert(1)>')).not.toMatch(/[<>]/);
  });

  it('leaves an ampersand alone unless it would form an entity', () => {
    expect(escapeHtml('R&D, AT&T; Q & A &')).toBe('R&D, AT&amp;T; Q & A &');
    expect(escapeHtml('&lt;b&gt; &amp; &#60; &#x3c; &#60b &frac12;')).toBe(
      '&amp;lt;b&amp;gt; &amp;amp; &amp;#60; &amp;#x3c; &amp;#60b &amp;frac12;',
    );
  });

  it('keeps line breaks and drops other control characters', () => {
    expect(escapeHtml('a\r\nb\u0000\u001b[2Jc')).toBe('a\nb  [2Jc');
    expect(escapeHtml('\ud800')).toBe('\ufffd');
  });
});

describe('escapeContent', () => {
  it('also disables shortcodes and blocks', () => {
    expect(escapeContent('[gallery ids="1"] [/x] [[y]] [3d] <!-- wp:html -->')).toBe(
      '&#91;gallery ids="1"] &#91;/x] &#91;&#91;y]] &#91;3d] &lt;!-- wp:html --&gt;',
    );
  });

  it('leaves other brackets alone', () => {
    expect(escapeContent('a[1], [12] [ x ] [] [')).toBe('a[1], [12] [ x ] [] [');
  });
});

describe('escapeAltText', () => {
  it('is displayed as written where WordPress escapes it as an attribute', () => {
    expect(escapeAltText(`A "big"\n dog's [gallery] &lt;b&gt; & <3 < 4`)).toBe(
      `A "big" dog's &#91;gallery] &amp;lt;b&amp;gt; & &lt;3 &lt; 4`,
    );
  });

  it('leaves tags for WordPress to remove', () => {
    expect(escapeAltText('<img src=x onerror=alert(1)></b>')).toBe('<img src=x onerror=alert(1)></b>');
  });
});
