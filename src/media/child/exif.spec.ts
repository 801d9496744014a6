import { parseExifDate, takenAtFromExif } from './exif.js';

/** A little-endian TIFF with one Exif directory of ASCII entries. */
function tiff(entries: [tag: number, text: string][], littleEndian = true): Buffer {
  const bytes = Buffer.alloc(512);
  const u16 = (value: number, at: number) =>
    littleEndian ? bytes.writeUInt16LE(value, at) : bytes.writeUInt16BE(value, at);
  const u32 = (value: number, at: number) =>
    littleEndian ? bytes.writeUInt32LE(value, at) : bytes.writeUInt32BE(value, at);
  bytes.write(littleEndian ? 'II*\0' : 'MM\0*', 0, 'latin1');
  u32(8, 4);
  u16(1, 8);
  u16(0x8769, 10);
  u16(4, 12);
  u32(1, 14);
  u32(30, 18);
  u16(entries.length, 30);
  entries.forEach(([tag, text], index) => {
    const at = 32 + index * 12;
    const place = 200 + index * 40;
    u16(tag, at);
    u16(2, at + 2);
    u32(text.length + 1, at + 4);
    if (text.length + 1 <= 4) bytes.write(text, at + 8, 'latin1');
    else u32(place, at + 8);
    if (text.length + 1 > 4) bytes.write(text, place, 'latin1');
  });
  return bytes;
}

describe('the date in EXIF', () => {
  it('is read in either byte order, with or without preamble', () => {
    const at = new Date('2026-05-17T08:30:00Z');
    expect(takenAtFromExif(tiff([[0x9003, '2026:05:17 08:30:00']]))).toEqual(at);
    expect(takenAtFromExif(tiff([[0x9003, '2026:05:17 08:30:00']], false))).toEqual(at);
    expect(
      takenAtFromExif(Buffer.concat([Buffer.from('Exif\0\0'), tiff([[0x9003, '2026:05:17 08:30:00']])])),
    ).toEqual(at);
  });

  it('takes offset and fraction into account', () => {
    const exif = tiff([
      [0x9003, '2026:05:17 08:30:00'],
      [0x9011, '-03:30'],
      [0x9291, '25'],
    ]);
    expect(takenAtFromExif(exif)).toEqual(new Date('2026-05-17T12:00:00.250Z'));
  });

  it.each([
    '0000:00:00 00:00:00',
    '2026:02:30 10:00:00',
    '2026:13:01 10:00:00',
    '    :  :     :  :  ',
    'yesterday',
    '',
    '1066:10:14 09:00:00',
  ])('is null for "%s"', (date) => expect(parseExifDate(date, null, null)).toBeNull());

  it('ignores an offset that makes no sense', () => {
    expect(parseExifDate('2026:05:17 08:30:00', '+99:99', 'x')).toEqual(new Date('2026-05-17T08:30:00Z'));
  });

  it('is null for a time that falls after the year 9999 in UTC', () => {
    expect(parseExifDate('9999:12:31 23:59:59', '-01:00', null)).toBeNull();
  });

  it('never throws on garbage', () => {
    const good = tiff([[0x9003, '2026:05:17 08:30:00']]);
    for (let length = 0; length < 260; length += 1) takenAtFromExif(good.subarray(0, length));
    for (let at = 4; at < 60; at += 1) takenAtFromExif(Buffer.from(good).fill(0xff, at, at + 4));
    expect(takenAtFromExif(Buffer.alloc(64, 0xff))).toBeNull();
    expect(takenAtFromExif(null)).toBeNull();
  });
});
