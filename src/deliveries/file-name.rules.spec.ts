import { fileNameOf } from './file-name.rules.js';

describe('fileNameOf', () => {
  it.each([
    [['Café Crème brûlée'], 'image/jpeg', 'cafe-creme-brulee.jpg'],
    [['../../etc/passwd'], 'image/png', 'etc-passwd.png'],
    [['a"; filename="x.php'], 'image/webp', 'a-filename-x-php.webp'],
    [['Straße'], 'video/mp4', 'strasse.mp4'],
    [['Ærø, Łódź'], 'image/jpeg', 'aero-lodz.jpg'],
    [['Московский ёж'], 'image/jpeg', 'moskovskii-ezh.jpg'],
    [['Ελλάδα'], 'image/jpeg', 'ellada.jpg'],
    [['東京タワー', 'tokyo.heic'], 'image/jpeg', 'tokyo.jpg'],
    [['東京 Tower'], 'image/jpeg', 'tower.jpg'],
    [['日本語', '日本語.jpg'], 'image/jpeg', 'image-9a7b10ab.jpg'],
    [['日本語.jpg'], 'video/mp4', 'video-9a7b10ab.mp4'],
    [['写真 12'], 'image/png', 'image-9a7b10ab.png'],
    [['2026', 'x.jpg'], 'image/jpeg', '2026.jpg'],
    [['🎉', '…'], 'image/jpeg', 'image-9a7b10ab.jpg'],
    [['.jpg'], 'image/jpeg', 'jpg.jpg'],
    [['x'.repeat(79) + '--y'], 'image/jpeg', `${'x'.repeat(79)}.jpg`],
  ] as const)('turns %j (%s) into %s', (texts, mimeType, name) => {
    expect(fileNameOf(texts, mimeType, '0198a3c4-7b1e-7cc0-8f5e-2f5d9a7b10ab')).toBe(name);
  });
});
