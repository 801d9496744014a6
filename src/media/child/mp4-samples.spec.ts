import { findBox } from './boxes.js';
import { limitTimes, sampleDataEnd } from './mp4-samples.js';

const u32 = (...values: number[]) =>
  Buffer.concat(values.map((value) => Buffer.from([value >>> 24, value >>> 16, value >>> 8, value])));
const box = (type: string, ...content: Buffer[]): Buffer => {
  const body = Buffer.concat(content);
  return Buffer.concat([u32(body.length + 8), Buffer.from(type), body]);
};
const moov = (...tables: Buffer[]) =>
  box('moov', box('trak', box('mdia', box('minf', box('stbl', ...tables)))));
const end = (bytes: Buffer) => sampleDataEnd(bytes, { type: 'moov', start: 8, end: bytes.length });

/** Runs: [first chunk, samples per chunk]. */
const stsc = (...runs: [number, number][]) =>
  box('stsc', u32(0, runs.length, ...runs.flatMap(([first, count]) => [first, count, 1])));
const stco = (...offsets: number[]) => box('stco', u32(0, offsets.length, ...offsets));
const stsz = (...sizes: number[]) => box('stsz', u32(0, 0, sizes.length, ...sizes));

describe('where sample tables say the data end', () => {
  it('adds up the samples of each chunk', () => {
    expect(end(moov(stsc([1, 2], [3, 1]), stco(1_000, 5_000, 200), stsz(10, 20, 30, 40, 50)))).toBe(5_070);
    expect(end(moov(stsc([1, 2], [3, 1]), stco(1_000, 2_000, 9_000), stsz(10, 20, 30, 40, 50)))).toBe(9_050);
  });

  it('reads constant sizes, wide offsets and compact sizes', () => {
    expect(end(moov(stsc([1, 3]), stco(100), box('stsz', u32(0, 7, 3))))).toBe(121);
    expect(end(moov(stsc([1, 1]), box('co64', u32(0, 1, 1, 0)), stsz(5)))).toBe(2 ** 32 + 5);
    expect(end(moov(stsc([1, 3]), stco(100), box('stz2', u32(0, 4, 3), Buffer.from([0x12, 0x30]))))).toBe(
      106,
    );
    expect(end(moov(stsc([1, 2]), stco(100), box('stz2', u32(0, 8, 2), Buffer.from([9, 8]))))).toBe(117);
  });

  it('looks at every track', () => {
    const track = (offset: number) => moov(stsc([1, 1]), stco(offset), stsz(1)).subarray(8);
    expect(end(box('moov', track(10), track(700), track(20)))).toBe(701);
  });

  it('trusts counts only as far as there is room, and returns 0 without samples', () => {
    const lying = box('stco', u32(0, 0xffffffff, 50));
    expect(end(moov(stsc([1, 1]), lying, box('stsz', u32(0, 3, 0xffffffff))))).toBe(53);
    expect(end(moov(stsc(), stco(), stsz()))).toBe(0);
    expect(end(box('moov'))).toBe(0);
  });

  it('stops at a box that runs out of its parent', () => {
    const bytes = moov(stsc([1, 1]), stco(10), stsz(1));
    const table = findBox(
      bytes,
      { type: '', start: 0, end: bytes.length },
      'moov',
      'trak',
      'mdia',
      'minf',
      'stbl',
      'stco',
    );
    bytes.writeUInt32BE(0x7fffffff, (table?.start ?? 8) - 8);
    expect(end(bytes)).toBe(0);
  });
});

describe('times of samples', () => {
  /** Runs: [number of samples, time]. */
  const times = (type: string, ...runs: [number, number][]) => box(type, u32(0, runs.length, ...runs.flat()));
  const limited = (...tables: Buffer[]) => {
    const bytes = moov(...tables);
    limitTimes(bytes, { type: 'moov', start: 8, end: bytes.length });
    return bytes;
  };

  it('are limited to as many samples as there are', () => {
    expect(limited(stsz(1, 1, 1, 1, 1), times('stts', [2, 7], [0x7fffffff, 8], [9, 9]))).toEqual(
      moov(stsz(1, 1, 1, 1, 1), times('stts', [2, 7], [3, 8], [0, 9])),
    );
    expect(limited(times('ctts', [0xffffffff, 4]), box('stsz', u32(0, 10, 3)))).toEqual(
      moov(times('ctts', [3, 4]), box('stsz', u32(0, 10, 3))),
    );
    expect(limited(times('stts', [5, 4]), times('stts', [6, 4]))).toEqual(
      moov(times('stts', [0, 4]), times('stts', [0, 4])),
    );
  });

  it('stay as they are if they are right, or incomplete', () => {
    const right = [stsz(1, 1, 1), times('stts', [1, 5], [2, 6]), times('ctts', [3, 0])];
    expect(limited(...right)).toEqual(moov(...right));
    const incomplete = [stsz(1, 1, 1), times('stts', [1, 5]), box('ctts', u32(0, 0xffffffff, 2, 9))];
    expect(limited(...incomplete)).toEqual(moov(...incomplete));
  });
});
