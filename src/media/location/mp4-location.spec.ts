import { boxesIn } from '../child/boxes.js';
import { BytesReader } from '../bytes-reader.js';
import { findLocation } from './mp4-location.js';
import { overwritten } from './overwrites.js';
import { box, u16, u32 } from '../../../test/support/media/heif-writer.js';
import {
  appleMeta,
  filmWith,
  ilst,
  item,
  itunesMeta,
  keysBox,
  loci,
  locatedFilm,
  mediaData,
  PLACE,
  POSITION,
  telemetryTrack,
  traces,
  xmp,
  xyz,
} from '../../../test/support/media/located-film.js';
import { fixture } from '../../../test/support/media/media-harness.js';
import { mutate } from '../../../test/support/media/mutations.js';

/** The bytes that leave, from a source that hands them out in chunks of this size. */
async function leaving(bytes: Buffer, chunkBytes = bytes.length): Promise<Buffer> {
  const overwrites = await findLocation(new BytesReader(bytes));
  const chunks = Array.from({ length: Math.ceil(bytes.length / chunkBytes) }, (_, index) =>
    bytes.subarray(index * chunkBytes, (index + 1) * chunkBytes),
  );
  const sent: Buffer[] = [];
  for await (const chunk of overwritten(chunks, overwrites)) sent.push(chunk);
  return Buffer.concat(sent);
}

const wide = (type: string, content: Buffer) =>
  Buffer.concat([u32(1), Buffer.from(type, 'latin1'), u32(0), u32(content.length + 16), content]);
const endless = (type: string, content: Buffer) =>
  Buffer.concat([u32(0), Buffer.from(type, 'latin1'), content]);
const nested = (depth: number): Buffer => (depth === 0 ? xyz() : box('udta', nested(depth - 1)));

describe('A video that leaves', () => {
  it.each<[string, Buffer, string[]]>([
    ['every known form', locatedFilm(), ['Autumn at the bakery', 'Apple', 'Main camera']],
    ['a 64-bit box size', filmWith({ movie: [wide('udta', wide('\u00a9xyz', xyz().subarray(8)))] }), []],
    ['a last box that reaches to the end', filmWith({ after: [endless('udta', xyz())] }), []],
    [
      'several user data boxes and tracks',
      filmWith({ movie: [box('udta', loci()), box('udta', xyz())] }),
      [],
    ],
    ['user data within user data', filmWith({ movie: [nested(3)] }), []],
    ['a second index', filmWith({ after: [box('moov', box('udta', xyz()))] }), []],
    ['metadata at the end of the file', filmWith({ after: [itunesMeta(item('\u00a9xyz', POSITION))] }), []],
    [
      'keys after the items, in several languages',
      filmWith({
        movie: [
          box(
            'meta',
            u32(0),
            ilst(item(2, PLACE), item(1, 'Title'), item(2, PLACE)),
            keysBox('com.apple.quicktime.title', 'com.apple.quicktime.location.name'),
          ),
        ],
      }),
      ['Title'],
    ],
    [
      'an ISO box for the keys',
      filmWith({ movie: [appleMeta([['location', POSITION]], { version: true })] }),
      [],
    ],
    ['a key that says nothing', filmWith({ movie: [appleMeta([['com.example.x', POSITION]])] }), []],
    ['items without keys', filmWith({ movie: [box('udta', ilst(item(7, POSITION)))] }), []],
    ['text in UTF-16', filmWith({ movie: [itunesMeta(item('\u00a9cmt', [...POSITION].join('\0'), 2))] }), []],
    [
      'a named item',
      filmWith({
        movie: [
          itunesMeta(
            box('----', box('name', Buffer.from('GPSLatitude')), box('data', Buffer.from(POSITION))),
          ),
        ],
      }),
      [],
    ],
    [
      'another text of QuickTime',
      filmWith({ movie: [box('udta', box('\u00a9cmt', u16(26), u16(0), Buffer.from(POSITION)))] }),
      [],
    ],
    [
      'XMP in user data',
      filmWith({ movie: [box('udta', box('XMP_', xmp('exif:GPSLatitude="52.5219"').subarray(24)))] }),
      [],
    ],
    [
      'rubbish after user data',
      filmWith({ movie: [box('udta', box('name'), Buffer.from(`\0\0\0\0${POSITION}`))] }),
      [],
    ],
    [
      'rubbish within user data',
      filmWith({ movie: [box('udta', Buffer.from(`\xff\xff\xff\xffxxxx${POSITION}`, 'latin1'))] }),
      [],
    ],
  ])('says nothing about its place: %s', async (_form, film, kept) => {
    expect(traces(film)).not.toEqual([]);
    const sent = await leaving(film);
    expect([sent.length, traces(sent)]).toEqual([film.length, []]);
    for (const text of kept) expect(sent.includes(text)).toBe(true);
    // The boxes are where they were; those of the first level are the same but for the freed ones.
    const outline = (bytes: Buffer) =>
      [...boxesIn(bytes, 0, bytes.length)].map(({ start, end }) => [start, end]);
    expect(outline(sent)).toEqual(outline(film));
    expect(mediaData(sent)[0]).toEqual(mediaData(film)[0]);
    // There is nothing left to find.
    expect((await leaving(sent)).equals(sent)).toBe(true);
  });

  it('is the same, byte for byte, if it says nothing about its place', async () => {
    const titled = filmWith({
      movie: [
        box('udta', box('\u00a9nam', u16(5), u16(0), Buffer.from('+4930')), u32(0)),
        itunesMeta(item('\u00a9nam', 'A location scout'), item('\u00a9day', '2026-11-19')),
        appleMeta([['com.apple.quicktime.make', 'Apple']]),
        telemetryTrack('mebx', [{ at: 48, size: 20 }]),
      ],
      after: [xmp('Iptc4xmpExt:DigitalSourceType="trainedAlgorithmicMedia"'), Buffer.from('no box')],
    });
    expect((await leaving(titled)).equals(titled)).toBe(true);
  });

  it.each(['h264.mp4', 'hevc.mp4', 'vp9.mp4', 'moov-last.mp4', 'rotated.mp4', 'fragmented.mp4', 'hlg.mp4'])(
    'is the same without a place, with any codec and in fragments: %s',
    async (name) => {
      const film = fixture(name);
      expect((await leaving(film)).equals(film)).toBe(true);
    },
  );

  it('may be larger than 4 GB, with its index at the end', async () => {
    const bytes = 5_000_000_000;
    const head = Buffer.concat([
      box('ftyp', Buffer.from('isom')),
      u32(1),
      Buffer.from('mdat'),
      u32(1),
      u32(bytes - 2 ** 32),
    ]);
    const end = head.length - 16 + bytes;
    const index = box('moov', box('udta', xyz()));
    const file = {
      size: end + index.length,
      read: (start: number, length: number) =>
        Promise.resolve(
          (start < end ? head.subarray(start) : index.subarray(start - end)).subarray(0, length),
        ),
      close: () => Promise.resolve(),
    };
    expect(await findLocation(file)).toEqual([
      { start: end + 20, end: end + 24, bytes: Buffer.from('free') },
      { start: end + 24, end: file.size, bytes: null },
    ]);
  });

  it('is the same in chunks of any size, and from any offset', async () => {
    const film = locatedFilm();
    const whole = await leaving(film);
    for (const size of [1, 7, 64, 1_000]) expect((await leaving(film, size)).equals(whole)).toBe(true);
    const overwrites = await findLocation(new BytesReader(film));
    for (let from = 0; from < film.length; from += 97) {
      const sent: Buffer[] = [];
      for await (const chunk of overwritten([film.subarray(from, from + 300)], overwrites, from))
        sent.push(chunk);
      expect(Buffer.concat(sent).equals(whole.subarray(from, from + 300))).toBe(true);
    }
  });

  it.each(['gpmd', 'camm', 'rtmd', 'djmd', 'dbgi'])(
    'loses the samples of a telemetry track: %s',
    async (format) => {
      const at = 64;
      const film = filmWith({ movie: [telemetryTrack(format, [{ at, size: 16 }])] });
      const sent = await leaving(film);
      expect(sent.subarray(at, at + 16)).toEqual(Buffer.alloc(16));
      expect(sent.subarray(0, at).equals(film.subarray(0, at))).toBe(true);
      expect(sent.subarray(at + 16, at + 999).equals(film.subarray(at + 16, at + 999))).toBe(true);
    },
  );

  it('loses nothing but media data to a telemetry track', async () => {
    const everywhere = { at: 0, size: 0xffffffff };
    const greedy = filmWith({ movie: [telemetryTrack('gpmd', [everywhere, everywhere])] });
    const [start, data] = mediaData(greedy)[0]!;
    const rest = await leaving(greedy);
    expect(rest.subarray(start, start + data.length)).toEqual(Buffer.alloc(data.length));
    expect(rest.subarray(0, start).equals(greedy.subarray(0, start))).toBe(true);
  });

  it.each<[string, Buffer]>([
    ['a part of the index that does not fit', filmWith({ after: [box('moov', Buffer.alloc(64, 0xff))] })],
    ['user data nested without end', filmWith({ movie: [nested(50)] })],
    ['a million tiny boxes', filmWith({ movie: [box('udta', Buffer.alloc(8_000_000, box('name')))] })],
    [
      'a list of keys without end',
      filmWith({ movie: [box('meta', u32(0), box('keys', Buffer.alloc(300_000)))] }),
    ],
    [
      'a telemetry track without end',
      filmWith({
        movie: [box('trak', telemetryTrack('gpmd', []).subarray(8), box('free', Buffer.alloc(9_000_000)))],
      }),
    ],
    ['telemetry in fragments', filmWith({ movie: [telemetryTrack('gpmd', [])], after: [box('moof')] })],
  ])('does not leave if nobody can tell: %s', async (_form, film) => {
    await expect(leaving(film)).rejects.toMatchObject({ name: 'MediaError', code: 'media_invalid' });
  });

  it('is read only as far as needed, however large it is', async () => {
    const film = locatedFilm({ paddingBytes: 20_000_000 });
    const reader = new BytesReader(film);
    const read = jest.spyOn(reader, 'read');
    await findLocation(reader);
    const lengths = read.mock.calls.map(([, length]) => length);
    expect(lengths.reduce((sum, length) => sum + length, 0)).toBeLessThan(20_000);
  });

  it('never loses media data, and never takes long, whatever is damaged', async () => {
    const film = locatedFilm();
    for (let seed = 1; seed <= 3_000; seed += 1) {
      const damaged = mutate(film, seed);
      const sent = await leaving(damaged).catch((error: Error) => {
        if (error.name !== 'MediaError') throw error;
        return null;
      });
      if (sent === null) continue;
      expect(sent.length).toBe(damaged.length);
      const [before, after] = [mediaData(damaged), mediaData(sent)];
      expect(after.map(([start]) => start)).toEqual(before.map(([start]) => start));
    }
  });
});
