import { escapeContent, escapeHtml, fileNameOf, headerText, singleLine } from './delivery-text.rules.js';

describe('escapeHtml', () => {
  it('leaves nothing that a browser would execute or parse as markup', () => {
    expect(escapeHtml(`<script>alert("1")</script> & 'x'`)).toBe(
      '&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; &amp; &#039;x&#039;',
    );
    expect(escapeHtml('<img src=x onerror=alert(1)>')).not.toMatch(/[<>]/);
  });

  it('keeps line breaks and drops other control characters', () => {
    expect(escapeHtml('a\r\nb\u0000\u001b[2Jc')).toBe('a\nb  [2Jc');
    expect(escapeHtml('\ud800')).toBe('\ufffd');
  });
});

describe('escapeContent', () => {
  it('also disables shortcodes and blocks', () => {
    expect(escapeContent('[gallery ids="1"] <!-- wp:html -->')).toBe(
      '&#91;gallery ids=&quot;1&quot;&#93; &lt;!-- wp:html --&gt;',
    );
  });
});

describe('singleLine', () => {
  it('is one line', () => {
    expect(singleLine(' a\n\tb  c ')).toBe('a b c');
  });
});

describe('fileNameOf', () => {
  it.each([
    [['Café Crème brûlée'], 'image/jpeg', 'cafe-creme-brulee.jpg'],
    [['../../etc/passwd'], 'image/png', 'etc-passwd.png'],
    [['a"; filename="x.php'], 'image/webp', 'a-filename-x-php.webp'],
    [['Straße'], 'video/mp4', 'strasse.mp4'],
    [['東京タワー', 'tokyo.heic'], 'image/jpeg', 'tokyo-heic.jpg'],
    [['🎉', '…'], 'image/jpeg', 'asset.jpg'],
    [['x'.repeat(79) + '--y'], 'image/jpeg', `${'x'.repeat(79)}.jpg`],
  ] as const)('turns %j (%s) into %s', (texts, mimeType, name) => {
    expect(fileNameOf(texts, mimeType)).toBe(name);
  });
});

describe('headerText', () => {
  it('is ASCII, and is truncated between characters', () => {
    expect(headerText('Café & "Co"\r\nX: y', 100)).toBe('Caf%C3%A9%20%26%20%22Co%22%20X%3A%20y');
    expect(headerText('éé', 11)).toBe('%C3%A9');
  });
});
