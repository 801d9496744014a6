import { defaultTitle, downloadName, safeFileName, safeName, splitName } from './file-names.rules.js';

describe('defaultTitle', () => {
  it.each([
    ['Sunrise at the mill.jpeg', 'Sunrise at the mill'],
    ['archive.tar.gz', 'archive.tar'],
    ['no extension', 'no extension'],
    ['.htaccess', '.htaccess'],
    ['Mr. Smith goes to town', 'Mr. Smith goes to town'],
    ['  padded.png ', 'padded'],
    ['🍞.png', '🍞'],
    [' ', 'Untitled'],
    ['../../etc/passwd.png', '../../etc/passwd'],
  ])('makes %p into %p', (filename, title) => {
    expect(defaultTitle(filename, 200)).toBe(title);
  });

  it('never splits a character', () => {
    expect(defaultTitle('🍞🍞🍞.png', 2)).toBe('🍞🍞');
  });
});

describe('safeFileName', () => {
  it.each([
    ['storefront at dawn.jpg', 'storefront at dawn.jpg'],
    ['IMG_0001.JPEG', 'IMG_0001.JPEG'],
    ['東京 🥐.jfif', '東京 🥐.jfif'],
    ['no extension', 'no extension.jpg'],
    ['picture.hta', 'picture.hta.jpg'],
    ['ends with dots...', 'ends with dots.jpg'],
    ['evil\u202egpj.exe', 'evilgpj.exe.jpg'],
    ['../../etc/passwd', '.._.._etc_passwd.jpg'],
    ['..\\system32.jpg', '.._system32.jpg'],
    ['.jpg', '.jpg.jpg'],
    ['..', 'file.jpg'],
    [' ', 'file.jpg'],
    ['\u061ca\u200eb\u200f.jpg', 'ab.jpg'],
    ['C\u200eON', '_CON.jpg'],
    ['con.jpg', '_con.jpg'],
    ['COM1 .txt', '_COM1 .txt.jpg'],
    ['invoice.hta:.jpg', 'invoice.hta_.jpg'],
    ['line\r\nbreak.jpg', 'line__break.jpg'],
  ])('saves a JPEG called %j as %j', (name, saved) => {
    expect(safeFileName(name, 'image/jpeg')).toBe(saved);
  });

  it('knows the extensions of each type', () => {
    expect(safeFileName('a.heif', 'image/heic')).toBe('a.heif');
    expect(safeFileName('a.mov', 'video/mp4')).toBe('a.mov.mp4');
    expect(safeFileName('a.jpg', 'image/png')).toBe('a.jpg.png');
    expect(safeFileName('a', 'image/webp')).toBe('a.webp');
  });
});

describe('downloadName', () => {
  it.each([
    ['picture.hta', 'picture.hta.jpg'],
    ['ends with dots...', 'ends with dots.jpg'],
    ['evil\u202egpj.exe', 'evilgpj.exe.jpg'],
    ['../../etc/passwd', '.._.._etc_passwd.jpg'],
    ['..\\system32.jpg', '.._system32.jpg'],
    ['.jpg', '.jpg.jpg'],
    ['..', 'file.jpg'],
    [' ', 'file.jpg'],
    ['\u061ca\u200eb\u200f.jpg', 'ab.jpg'],
    ['con "a": b?.jpg', 'con "a": b?.jpg'],
    [`${'ü'.repeat(251)}.jpg`, `${'ü'.repeat(251)}.jpg`],
  ])('saves a JPEG called %j as %j', (name, saved) => {
    expect(downloadName(name, 'image/jpeg')).toBe(saved);
  });
});

describe('safeName', () => {
  it.each([
    ['Autumn', 'Autumn'],
    ['../x', '.._x'],
    ['..', '_'],
    ['a/b\\c.png', 'a_b_c.png'],
    ['CON', '_CON'],
    ['nul.txt', '_nul.txt'],
    ['Lpt1.jpg', '_Lpt1.jpg'],
    ['contact.jpg', 'contact.jpg'],
    ['trailing. . ', 'trailing'],
    ['what? "yes": <a|b>*.jpg', 'what_ _yes__ _a_b__.jpg'],
    ['line\r\nbreak\u0000.jpg', 'line__break_.jpg'],
    ['\u202Egpj.exe', 'gpj.exe'],
    ['\u061ca\u200eb\u200f', 'ab'],
    ['🍞 bröd.heic', '🍞 bröd.heic'],
    ['', '_'],
  ])('makes %j into %j', (name, expected) => {
    expect(safeName(name)).toBe(expected);
  });
});

describe('splitName', () => {
  it('keeps 255 bytes and the extension of a long name, and never splits a character', () => {
    const name = safeFileName(`${'🍞'.repeat(100)}.jpeg`, 'image/jpeg');
    expect(Buffer.byteLength(name)).toBeLessThanOrEqual(255);
    expect(name).toMatch(/^(🍞)+\.jpeg$/u);
    expect(name.isWellFormed()).toBe(true);
  });

  it('leaves room for a suffix', () => {
    expect(splitName(`${'a'.repeat(251)}.jpg`, 4)).toEqual({ stem: 'a'.repeat(247), extension: '.jpg' });
    expect(splitName('a.jpg', 4)).toEqual({ stem: 'a', extension: '.jpg' });
  });
});
