import { sniff } from './sniff.js';

/** An `ftyp` box: major brand, version, compatible brands. */
function ftyp(...brands: string[]): Buffer {
  const [major = '', ...others] = brands.map((brand) => brand.padEnd(4));
  const body = Buffer.from(`ftyp${major}\0\0\0\0${others.join('')}`, 'latin1');
  return Buffer.concat([
    Buffer.from([0, 0, 0, body.length + 4]),
    body,
    Buffer.from('\0\0\0\x08free', 'latin1'),
  ]);
}

describe('the type by magic bytes', () => {
  it('recognizes pictures', () => {
    expect(sniff(Buffer.from('ffd8ffe000104a464946', 'hex'))).toBe('image/jpeg');
    expect(sniff(Buffer.from('89504e470d0a1a0a0000000d', 'hex'))).toBe('image/png');
    expect(sniff(Buffer.from('RIFF\x10\0\0\0WEBPVP8 ', 'latin1'))).toBe('image/webp');
    expect(sniff(Buffer.from('RIFF\x10\0\0\0WAVEfmt ', 'latin1'))).toBeNull();
  });

  it.each([
    ['isom', 'iso2', 'avc1', 'mp41'],
    ['mp42'],
    ['iso6', 'dash'],
    ['M4V', 'mp42'],
    ['MSNV', 'isom'],
    ['XAVC'],
    ['3gp5', 'isom'],
    ['zzzz', 'mp42'],
    ['M4A', 'isom'],
  ])('accepts %s as MP4', (...brands) => expect(sniff(ftyp(...brands))).toBe('video/mp4'));

  it.each([['qt'], ['qt', 'mp42'], ['crx', 'isom'], ['jp2'], ['3gp5', '3gp4'], ['zzzz']])(
    'treats %s as neither MP4 nor HEIF',
    (...brands) => expect(sniff(ftyp(...brands))).toBeNull(),
  );

  it.each([
    ['heic', 'mif1'],
    ['mif1', 'heic'],
    ['msf1', 'iso8'],
    ['avif', 'mif1'],
    ['heic', 'mp42'],
    ['zzzz', 'mif1'],
  ])('treats %s as HEIF, whatever its codec', (...brands) =>
    expect(sniff(ftyp(...brands))).toBe('image/heic'),
  );

  it('handles short and misleading headers', () => {
    for (let length = 0; length < 20; length += 1) sniff(ftyp('isom', 'mp42').subarray(0, length));
    expect(sniff(ftyp('isom').subarray(0, 12))).toBeNull();
    const endless = ftyp('isom');
    endless.writeUInt32BE(0xffffffff);
    expect(sniff(endless)).toBeNull();
    expect(sniff(Buffer.from('<!doctype html>'))).toBeNull();
  });
});
