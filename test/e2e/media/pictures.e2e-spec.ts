import sharp from 'sharp';
import { mediaDefaults } from '../../../src/media/media-defaults.js';
import { demoSample, fixture, MediaHarness } from '../../support/media/media-harness.js';
import { tileOf, writeHeif } from '../../support/media/heif-writer.js';
import { exif, gradient, pngChunk, withStrayBytes } from '../../support/media/picture-files.js';

describe('inspecting pictures', () => {
  const media = new MediaHarness();
  afterAll(() => media.close());

  describe('JPEG', () => {
    it('returns size, date and placeholder', async () => {
      const jpeg = await gradient(300, 200).jpeg().withExif(exif('2026:05:17 08:30:00', '+02:00')).toBuffer();
      expect(await media.inspect(jpeg, 'image/jpeg')).toEqual({
        width: 300,
        height: 200,
        durationMs: null,
        takenAt: new Date('2026-05-17T06:30:00Z'),
        placeholder: expect.stringMatching(/^[A-Za-z0-9+/]{20,}=*$/),
      });
    });

    it('reads a date without an offset as UTC', async () => {
      const jpeg = await gradient(30, 20).jpeg().withExif(exif('2026:05:17 08:30:00')).toBuffer();
      expect((await media.inspect(jpeg, 'image/jpeg')).takenAt).toEqual(new Date('2026-05-17T08:30:00Z'));
    });

    it.each([5, 6, 7, 8])('returns the upright size for orientation %i', async (orientation) => {
      const jpeg = await gradient(300, 200).jpeg().withMetadata({ orientation }).toBuffer();
      expect(await media.inspect(jpeg, 'image/jpeg')).toMatchObject({ width: 200, height: 300 });
    });

    it('returns the same placeholder regardless of the stored orientation', async () => {
      const upright = await gradient(320, 160).png().toBuffer();
      const lying = await sharp(upright)
        .rotate(-90)
        .jpeg({ quality: 98 })
        .withMetadata({ orientation: 6 })
        .toBuffer();
      const [plain, turned] = [await sharp(upright).jpeg({ quality: 98 }).toBuffer(), lying];
      const prefix = async (jpeg: Buffer) =>
        (await media.inspect(jpeg, 'image/jpeg')).placeholder?.slice(0, 4);
      expect(await prefix(turned)).toBe(await prefix(plain));
    });

    it.each([
      ['progressive', () => gradient(300, 200).jpeg({ progressive: true })],
      ['CMYK', () => gradient(300, 200).toColourspace('cmyk').jpeg()],
      ['greyscale', () => gradient(300, 200).greyscale().jpeg()],
      ['a single pixel', () => gradient(1, 1).jpeg()],
    ])('takes %s', async (_name, make) => {
      expect(await media.verdict(await make().toBuffer(), 'image/jpeg')).toBe('facts');
    });

    it('tolerates bytes after the end and stray bytes between segments, as cameras write them', async () => {
      const jpeg = await gradient(300, 200).jpeg().toBuffer();
      expect(await media.verdict(Buffer.concat([jpeg, Buffer.alloc(5_000, 7)]), 'image/jpeg')).toBe('facts');
      expect(await media.verdict(withStrayBytes(jpeg, Buffer.alloc(4)), 'image/jpeg')).toBe('facts');
    });

    it('rejects one that lost bytes in the middle, which libjpeg only warns about', async () => {
      const jpeg = await gradient(800, 600).jpeg().toBuffer();
      const half = Math.floor(jpeg.length / 2);
      const holed = Buffer.concat([jpeg.subarray(0, half), jpeg.subarray(half + 4_000)]);
      await expect(sharp(holed, { failOn: 'error' }).raw().toBuffer()).resolves.toBeDefined();
      expect(await media.verdict(holed, 'image/jpeg')).toBe('media_invalid');
    });

    it.each([
      ['4:2:0', 600, {}],
      ['4:4:4', 603, { chromaSubsampling: '4:4:4' }],
      ['progressive', 608, { progressive: true }],
      ['large', 3_203, {}],
    ])('rejects one that lost bytes at the end of its last rows (%s)', async (_name, height, options) => {
      const jpeg = await gradient(height * 2, height)
        .jpeg(options)
        .toBuffer();
      const end = jpeg.length - 2;
      const holed = Buffer.concat([jpeg.subarray(0, end - 12), jpeg.subarray(end)]);
      expect(await media.verdict(jpeg, 'image/jpeg')).toBe('facts');
      expect(await media.verdict(holed, 'image/jpeg')).toBe('media_invalid');
      // What one file causes is not blamed on the next.
      expect(await media.verdict(jpeg, 'image/jpeg')).toBe('facts');
    });

    it('accepts one whose colour profile is damaged, but only if its pixels are not', async () => {
      const jpeg = await gradient(304, 200).jpeg().toBuffer();
      const profile = Buffer.concat([Buffer.from('ICC_PROFILE\0\x01\x01', 'latin1'), Buffer.alloc(132, 1)]);
      const head = Buffer.from([0xff, 0xe2, 0, profile.length + 2]);
      const withProfile = (rest: Buffer) => Buffer.concat([jpeg.subarray(0, 2), head, profile, rest]);
      expect(await media.verdict(withProfile(jpeg.subarray(2)), 'image/jpeg')).toBe('facts');
      const end = jpeg.length - 2;
      const holed = Buffer.concat([jpeg.subarray(2, end - 100), jpeg.subarray(end)]);
      expect(await media.verdict(withProfile(holed), 'image/jpeg')).toBe('media_invalid');
    });

    it('ignores garbage in EXIF', async () => {
      const jpeg = await gradient(30, 20).jpeg().withExif(exif('2026:05:17 08:30:00')).toBuffer();
      const at = jpeg.indexOf('Exif\0\0') + 6;
      const garbled = Buffer.from(jpeg).fill(0xff, at + 4, at + 40);
      expect(await media.inspect(garbled, 'image/jpeg')).toMatchObject({ width: 30, takenAt: null });
    });
  });

  describe('PNG and WebP', () => {
    it.each([
      ['16 bits', () => gradient(60, 40).toColourspace('rgb16').png()],
      ['a palette', () => gradient(60, 40).png({ palette: true })],
      ['transparency', () => gradient(60, 40, 4).png()],
      ['interlacing', () => gradient(60, 40).png({ progressive: true })],
    ])('accepts a PNG with %s', async (_name, make) => {
      const facts = await media.inspect(await make().toBuffer(), 'image/png');
      expect(facts).toMatchObject({ width: 60, height: 40, placeholder: expect.any(String) });
    });

    it('rejects a PNG without its last chunk, and accepts bytes after it', async () => {
      const png = await gradient(60, 40).png().toBuffer();
      expect(await media.verdict(png.subarray(0, png.length - 12), 'image/png')).toBe('media_invalid');
      expect(
        await media.verdict(Buffer.concat([png, pngChunk('teXt', Buffer.from('<script>'))]), 'image/png'),
      ).toBe('facts');
    });

    it.each([{ lossless: true }, { lossless: false }])(
      'accepts a WebP (%o) and reads its date',
      async (options) => {
        const webp = await gradient(60, 40).webp(options).withExif(exif('2020:02:29 23:59:59')).toBuffer();
        expect(await media.inspect(webp, 'image/webp')).toMatchObject({
          width: 60,
          takenAt: new Date('2020-02-29T23:59:59Z'),
        });
      },
    );

    it('accepts an animated WebP with the size of a frame, and rejects it when its last frame is missing', async () => {
      const pages = await gradient(64, 64 * 5)
        .raw()
        .toBuffer();
      const raw = { width: 64, height: 320, channels: 3 as const, pageHeight: 64 };
      const webp = await sharp(pages, { raw }).webp({ loop: 0 }).toBuffer();
      expect(webp.includes('ANMF')).toBe(true);
      expect(await media.inspect(webp, 'image/webp')).toMatchObject({ width: 64, height: 64 });
      expect(await media.verdict(webp.subarray(0, webp.length - 200), 'image/webp')).toBe('media_invalid');
    });
  });

  describe('HEIC', () => {
    const tile = tileOf(fixture('still.heic'), 128);

    it('returns size, date and placeholder', async () => {
      expect(await media.inspect(fixture('still.heic'), 'image/heic')).toEqual({
        width: 128,
        height: 128,
        durationMs: null,
        takenAt: new Date('2026-05-17T06:15:40Z'),
        placeholder: expect.any(String),
      });
    });

    it('decodes the same picture as from WebP', async () => {
      const [heic, webp] = [fixture('still-10bit.heic'), demoSample('latte.webp')];
      const [from10Bits, fromWebp] = [
        await media.inspect(heic, 'image/heic'),
        await media.inspect(webp, 'image/webp'),
      ];
      expect(from10Bits.placeholder?.slice(0, 8)).toBe(fromWebp.placeholder?.slice(0, 8));
    });

    it('assembles and rotates tiles, as phones store photographs', async () => {
      const grid = writeHeif(tile, { grid: { rows: 2, columns: 3 }, turns: 1 });
      expect(await media.inspect(grid, 'image/heic')).toMatchObject({ width: 256, height: 384 });
    });

    it('determines the codec from the file, not the brand', async () => {
      expect(await media.verdict(writeHeif(tile, { brand: 'mif1' }), 'image/heic')).toBe('facts');
      expect(await media.verdict(writeHeif(tile, { brand: 'avif' }), 'image/heic')).toBe('facts');
      for (const codec of ['av01', 'avc1', 'jpeg']) {
        expect(await media.verdict(writeHeif(tile, { codec }), 'image/heic')).toBe('content_mismatch');
        const grid = writeHeif(tile, { codec, grid: { rows: 1, columns: 2 } });
        expect(await media.verdict(grid, 'image/heic')).toBe('content_mismatch');
      }
      expect(await media.verdict(await gradient(64, 64).avif({ effort: 0 }).toBuffer(), 'image/heic')).toBe(
        'content_mismatch',
      );
    });

    it('rejects more pixels than allowed by the header alone, whatever the data contains', async () => {
      const claim = { width: 40_000, height: 30_000 };
      await expect(media.inspect(writeHeif(tile, { claim }), 'image/heic')).rejects.toMatchObject({
        code: 'media_invalid',
        message: expect.stringContaining('megapixels'),
      });
    });

    it('rejects a file larger than the decoder may use', async () => {
      const small = new MediaHarness({ limits: { ...mediaDefaults.limits, maxHeicBytes: 1_000 } });
      expect(await small.verdict(fixture('still.heic'), 'image/heic')).toBe('media_invalid');
      await small.close();
    });
  });

  it('accepts every demo picture', async () => {
    const { sampleAssets } = await import('../../../src/embedded/samples.js');
    for (const sample of sampleAssets)
      expect(await media.verdict(demoSample(sample.file), sample.mimeType)).toBe('facts');
    expect(new Set(sampleAssets.map((sample) => sample.mimeType)).size).toBe(5);
  });
});
