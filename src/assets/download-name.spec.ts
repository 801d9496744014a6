import { downloadName } from './download-name.js';

describe('downloadName', () => {
  it.each([
    ['storefront at dawn.jpg', 'storefront at dawn.jpg'],
    ['IMG_0001.JPEG', 'IMG_0001.JPEG'],
    ['東京 🥐.jfif', '東京 🥐.jfif'],
    ['no ending', 'no ending.jpg'],
    ['picture.hta', 'picture.hta.jpg'],
    ['ends with dots...', 'ends with dots.jpg'],
    ['evil\u202egpj.exe', 'evilgpj.exe.jpg'],
    ['../../etc/passwd', '.._.._etc_passwd.jpg'],
    ['..\\system32.jpg', '.._system32.jpg'],
    ['.jpg', '.jpg.jpg'],
    ['..', 'file.jpg'],
    [' ', 'file.jpg'],
  ])('saves a JPEG called %j as %j', (name, saved) => {
    expect(downloadName(name, 'image/jpeg')).toBe(saved);
  });

  it('knows the endings of each type', () => {
    expect(downloadName('a.heif', 'image/heic')).toBe('a.heif');
    expect(downloadName('a.mov', 'video/mp4')).toBe('a.mov.mp4');
    expect(downloadName('a.jpg', 'image/png')).toBe('a.jpg.png');
    expect(downloadName('a', 'image/webp')).toBe('a.webp');
  });
});
