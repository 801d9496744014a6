import { deflateSync } from 'node:zlib';
import sharp, { type Sharp } from 'sharp';
import { meanDeltaE } from '../../support/media/comparison.js';
import { tileOf, writeHeif } from '../../support/media/heif-writer.js';
import { demoSample, fixture, MediaHarness } from '../../support/media/media-harness.js';
import { ORIENTATIONS, storedAs } from '../../support/media/orientations.js';
import { exif, gradient, pngChunk } from '../../support/media/picture-files.js';

describe('rendering pictures', () => {
  const media = new MediaHarness();
  const photograph = demoSample('storefront.jpg');
  afterAll(() => media.close());

  describe('size', () => {
    it('fits the longer side and keeps the shape', async () => {
      const pictures = await media.renderAll(photograph, 'image/jpeg', [
        { maxSide: 320, format: 'webp' },
        { maxSide: 960, format: 'jpeg' },
        { maxSide: null, format: 'webp' },
      ]);
      expect(pictures.map(({ name, width, height }) => [name, width, height])).toEqual([
        ['output 0', 320, 213],
        ['output 1', 960, 640],
        ['output 2', 1600, 1067],
      ]);
      for (const { bytes, width, height } of pictures) {
        expect(await sharp(bytes).metadata()).toMatchObject({ width, height });
      }
      const formats = await Promise.all(
        pictures.map(async ({ bytes }) => (await sharp(bytes).metadata()).format),
      );
      expect(formats).toEqual(['webp', 'jpeg', 'webp']);
    });

    it('never enlarges, whatever the type', async () => {
      const small = gradient(60, 40);
      const files = [
        [await small.clone().jpeg().toBuffer(), 'image/jpeg'],
        [await small.clone().png().toBuffer(), 'image/png'],
        [await small.clone().webp().toBuffer(), 'image/webp'],
      ] as const;
      for (const [bytes, mime] of files)
        expect(await media.render(bytes, mime)).toMatchObject({ width: 60, height: 40 });
      expect(await media.render(fixture('still.heic'), 'image/heic')).toMatchObject({
        width: 128,
        height: 128,
      });
    });

    it('gives the smaller sizes the same picture as if they had been made alone', async () => {
      const [together] = await media.renderAll(photograph, 'image/jpeg', [
        { maxSide: 200 },
        { maxSide: 800 },
      ]);
      const alone = await media.render(photograph, 'image/jpeg', { maxSide: 200 });
      expect(await meanDeltaE(together?.bytes ?? '', alone.bytes)).toBeLessThan(1.5);
    });

    it('stays within the maximum size of WebP', async () => {
      const long = await sharp({ create: { width: 17_000, height: 20, channels: 3, background: '#58a' } })
        .png()
        .toBuffer();
      expect((await media.render(long, 'image/png', { maxSide: null, format: 'webp' })).width).toBe(16_383);
    });
  });

  describe('upright', () => {
    it.each(ORIENTATIONS)('orientation %i shows the same picture', async (orientation) => {
      const upright = await sharp(photograph).resize(300, 200, { fit: 'cover' }).png().toBuffer();
      const stored = storedAs(orientation, sharp(upright));
      const jpeg = await stored.jpeg({ quality: 98 }).withMetadata({ orientation }).toBuffer();
      const [small, full] = await media.renderAll(jpeg, 'image/jpeg', [{ maxSide: 150 }, { maxSide: null }]);
      expect(full).toMatchObject({ width: 300, height: 200 });
      expect(await meanDeltaE(full?.bytes ?? '', upright)).toBeLessThan(2.5);
      const reference = await sharp(upright).resize(150).png().toBuffer();
      expect(await meanDeltaE(small?.bytes ?? '', reference)).toBeLessThan(2.5);
    });

    it.each([
      ['turned', { turns: 1 }, (picture: Sharp) => picture.rotate(-90)],
      ['mirrored', { mirror: 'vertical axis' }, (picture: Sharp) => picture.flop()],
      ['upside down', { mirror: 'horizontal axis' }, (picture: Sharp) => picture.flip()],
    ] as const)('a HEIC stored %s is shown as its file says', async (_name, plan, change) => {
      const tile = tileOf(fixture('still.heic'), 128);
      const plain = await media.render(writeHeif(tile), 'image/heic', { maxSide: null });
      const changed = await media.render(writeHeif(tile, plan), 'image/heic', { maxSide: null });
      expect(await meanDeltaE(plain.bytes, changed.bytes)).toBeGreaterThan(3);
      expect(await meanDeltaE(await change(sharp(plain.bytes)).png().toBuffer(), changed.bytes)).toBeLessThan(
        1.5,
      );
    });

    it('assembles the tiles of a HEIC', async () => {
      const tile = tileOf(fixture('still.heic'), 128);
      const grid = writeHeif(tile, { grid: { rows: 2, columns: 3 } });
      const whole = await media.render(grid, 'image/heic', { maxSide: null });
      expect(whole).toMatchObject({ width: 384, height: 256 });
      const corner = await sharp(whole.bytes)
        .extract({ left: 256, top: 128, width: 128, height: 128 })
        .png()
        .toBuffer();
      const alone = await media.render(writeHeif(tile), 'image/heic', { maxSide: null });
      expect(await meanDeltaE(corner, alone.bytes)).toBeLessThan(1.5);
    });
  });

  describe('metadata', () => {
    const traces = /Exif|GPS|http:\/\/ns\.adobe|ICC_PROFILE|ICCP|XMP |Secret/;

    it.each(['webp', 'jpeg'] as const)('none of it reaches a %s, at any size', async (format) => {
      const gps = { IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '52/1 30/1 0/1' }, IFD0: { Artist: 'Secret' } };
      const jpeg = await gradient(400, 300)
        .withIccProfile('p3')
        .withExif({ ...exif('2026:05:17 08:30:00'), ...gps })
        .withXmp('<x:xmpmeta xmlns:x="adobe:ns:meta/"><Secret/></x:xmpmeta>')
        .jpeg()
        .toBuffer();
      expect(jpeg.toString('latin1')).toMatch(traces);
      for (const maxSide of [100, null]) {
        const { bytes } = await media.render(jpeg, 'image/jpeg', { maxSide, format });
        expect(bytes.toString('latin1')).not.toMatch(traces);
        const { exif: kept, icc, xmp, iptc, orientation } = await sharp(bytes).metadata();
        expect([kept, icc, xmp, iptc, orientation]).toEqual([
          undefined,
          undefined,
          undefined,
          undefined,
          undefined,
        ]);
      }
    });

    it('none of it comes from a HEIC', async () => {
      expect(fixture('still.heic').toString('latin1')).toContain('Morning Crumb');
      const { bytes } = await media.render(fixture('still.heic'), 'image/heic');
      expect(bytes.toString('latin1')).not.toMatch(/Morning Crumb|EXIF/);
    });
  });

  describe('colours', () => {
    it('keeps transparency in WebP and puts white behind it in JPEG', async () => {
      const png = await sharp({ create: { width: 40, height: 40, channels: 4, background: '#ff000000' } })
        .png()
        .toBuffer();
      const [webp, jpeg] = await media.renderAll(png, 'image/png', [{ format: 'webp' }, { format: 'jpeg' }]);
      expect((await sharp(webp?.bytes).stats()).channels[3]?.max).toBe(0);
      expect((await sharp(jpeg?.bytes).stats()).channels.map(({ min }) => min)).toEqual([255, 255, 255]);
    });

    it.each([
      ['CMYK', 'image/jpeg', (upright: Sharp) => upright.toColourspace('cmyk').jpeg({ quality: 95 }), 6],
      ['greyscale', 'image/jpeg', (upright: Sharp) => upright.greyscale().jpeg({ quality: 95 }), 2],
      ['16 bits', 'image/png', (upright: Sharp) => upright.toColourspace('rgb16').png(), 2],
      ['Display P3', 'image/jpeg', (upright: Sharp) => upright.withIccProfile('p3').jpeg({ quality: 95 }), 2],
      ['Display P3', 'image/png', (upright: Sharp) => upright.withIccProfile('p3').png(), 2],
    ] as const)('shows %s (%s) as it was', async (name, mime, encode, limit) => {
      const upright = sharp(await sharp(photograph).resize(400).png().toBuffer());
      const reference = name === 'greyscale' ? upright.clone().greyscale() : upright;
      const { bytes } = await media.render(await encode(upright.clone()).toBuffer(), mime, { maxSide: null });
      expect((await sharp(bytes).metadata()).space).toBe('srgb');
      expect(await meanDeltaE(bytes, await reference.png().toBuffer())).toBeLessThan(limit);
    });

    it.each([
      ['a profile', async () => Buffer.concat([Buffer.from('prof'), await displayP3()])],
      // Primaries of P3, sRGB's curve, BT.601's matrix, full range.
      ['numbers', () => Promise.resolve(Buffer.from('nclx\0\x0c\0\x0d\0\x06\x80', 'latin1'))],
    ])(
      'shows a HEIC whose Display P3 is given by %s as a reference conversion does',
      async (_name, colour) => {
        const tile = tileOf(fixture('still.heic'), 128);
        const plain = await media.render(writeHeif(tile), 'image/heic', { maxSide: null, format: 'jpeg' });
        const raw = await sharp(plain.bytes).png().toBuffer();
        const { bytes } = await media.render(writeHeif(tile, { colour: await colour() }), 'image/heic', {
          maxSide: null,
        });
        const expected = await readAsP3(raw);
        expect(await meanDeltaE(bytes, expected)).toBeLessThan(2);
        expect(await meanDeltaE(expected, raw)).toBeGreaterThan(2.5);
      },
    );

    it('handles 10 bits correctly', async () => {
      const deep = await media.render(fixture('still-10bit.heic'), 'image/heic');
      const plain = await media.render(fixture('still.heic'), 'image/heic');
      expect(await meanDeltaE(deep.bytes, plain.bytes)).toBeLessThan(4);
    });

    it('shows the first frame of an animation', async () => {
      const pages = Buffer.concat([Buffer.alloc(64 * 64 * 3, 200), Buffer.alloc(64 * 64 * 3, 20)]);
      const raw = { width: 64, height: 128, channels: 3 as const, pageHeight: 64 };
      const { bytes, height } = await media.render(
        await sharp(pages, { raw }).webp().toBuffer(),
        'image/webp',
      );
      expect(height).toBe(64);
      expect((await sharp(bytes).stats()).channels[0]?.mean).toBeGreaterThan(180);
    });
  });

  it('returns a thumbhash on request, the same as inspecting returns', async () => {
    const facts = await media.inspect(photograph, 'image/jpeg');
    const { placeholder } = await media.render(photograph, 'image/jpeg', { placeholder: true });
    expect(placeholder?.slice(0, 6)).toBe(facts.placeholder?.slice(0, 6));
    expect(await media.render(photograph, 'image/jpeg')).not.toHaveProperty('placeholder');
  });

  it('blames a damaged file, and makes none of the outputs', async () => {
    const cut = photograph.subarray(0, photograph.length >> 1);
    const outputs = [{ maxSide: 40 }, { maxSide: null }];
    await expect(media.renderAll(cut, 'image/jpeg', outputs)).rejects.toMatchObject({
      name: 'MediaError',
      code: 'media_invalid',
    });
  });

  it('does not blame the file when it is missing', async () => {
    await expect(media.render({ kind: 'file', path: '/nowhere' }, 'image/jpeg')).rejects.toMatchObject({
      name: 'MediaUnavailableError',
    });
  });

  it('only accepts a file as its declared type', async () => {
    await expect(media.render(photograph, 'image/png')).rejects.toMatchObject({ code: 'content_mismatch' });
  });
});

/** The profile as sharp ships it. */
async function displayP3(): Promise<Buffer> {
  const { icc } = await sharp(await gradient(8, 8).withIccProfile('p3').png().toBuffer()).metadata();
  return icc ?? Buffer.alloc(0);
}

/** How libvips shows the same values when they are tagged as Display P3. */
async function readAsP3(png: Buffer): Promise<Buffer> {
  const profile = deflateSync(await displayP3());
  const chunk = pngChunk('iCCP', Buffer.concat([Buffer.from('P3\0\0', 'latin1'), profile]));
  const header = 8 + 25;
  return sharp(Buffer.concat([png.subarray(0, header), chunk, png.subarray(header)]))
    .png()
    .toBuffer();
}
