import sharp from 'sharp';
import type { SupportedMime } from '../../../src/media/file-types.js';
import type { FitOutput } from '../../../src/media/media.types.js';
import { tileOf, writeHeif } from '../../support/media/heif-writer.js';
import { demoSample, fixture, MediaHarness } from '../../support/media/media-harness.js';
import { addSound } from '../../support/media/sound.js';
import { ORIENTATIONS, storedAs } from '../../support/media/orientations.js';
import { exif, gradient } from '../../support/media/picture-files.js';

const media = new MediaHarness();
afterAll(() => media.close());

const fit = (bytes: Uint8Array, mime: SupportedMime, output: Partial<FitOutput> = {}) =>
  media.render(bytes, mime, {
    maxSide: null,
    format: 'jpeg',
    fit: { width: 400, height: 400, focus: null, maxBytes: 4_900_000, ...output },
  });

const packet = (sourceType: string) =>
  `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about=""
     xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:Iptc4xmpExt="http://iptc.org/std/Iptc4xmpExt/2008-02-29/">
     <dc:creator>Somebody</dc:creator>${sourceType}</rdf:Description></rdf:RDF></x:xmpmeta>`;
const GENERATED = 'http://cv.iptc.org/newscodes/digitalsourcetype/trainedAlgorithmicMedia';
const SPELLINGS = [
  `<Iptc4xmpExt:DigitalSourceType>${GENERATED}</Iptc4xmpExt:DigitalSourceType>`,
  `<Iptc4xmpExt:DigitalSourceType rdf:resource="${GENERATED}"/>`,
  `<x Iptc4xmpExt:DigitalSourceType='${GENERATED}'/>`,
];

describe('the facts collected for publishing', () => {
  it.each([
    ['h264.mp4', { videoCodec: 'avc', isIndexFirst: true, frameRate: 24 }],
    ['moov-last.mp4', { videoCodec: 'avc', isIndexFirst: false }],
    ['hevc.mp4', { videoCodec: 'hevc' }],
    ['vp9.mp4', { videoCodec: 'vp9' }],
  ])('of %s', async (name, expected) => {
    expect(await media.details(fixture(name), 'video/mp4')).toMatchObject({ audioCodec: null, ...expected });
  });

  it('of a video with sound, and of a fragmented one', async () => {
    const film = await addSound(fixture('h264.mp4'), fixture('sound-only.mp4'));
    expect(await media.details(film, 'video/mp4')).toMatchObject({
      videoCodec: 'avc',
      audioCodec: 'aac',
      sampleRate: expect.any(Number) as number,
    });
    expect(await media.details(demoSample('steam.mp4'), 'video/mp4')).toEqual({
      videoCodec: 'avc',
      audioCodec: null,
      frameRate: 24,
      isIndexFirst: true,
      hasEditList: true,
    });
    const fragmented = await media.details(fixture('fragmented.mp4'), 'video/mp4');
    expect(fragmented).toMatchObject({ videoCodec: 'avc' });
    expect(fragmented.frameRate).toBeUndefined();
  });

  it('of colours: sRGB with its profile or without, and nothing else', async () => {
    const picture = gradient(64, 64);
    const plain = await picture.clone().jpeg().toBuffer();
    const srgb = await picture.clone().withIccProfile('srgb').webp().toBuffer();
    const p3 = await picture.clone().withIccProfile('p3').png().toBuffer();
    const cmyk = await picture.clone().toColourspace('cmyk').jpeg().toBuffer();
    const grey = await picture.clone().greyscale().png().toBuffer();
    expect(await media.details(plain, 'image/jpeg')).toEqual({ isSrgb: true });
    expect(await media.details(srgb, 'image/webp')).toEqual({ isSrgb: true });
    expect(await media.details(grey, 'image/png')).toEqual({ isSrgb: true });
    expect(await media.details(p3, 'image/png')).toEqual({ isSrgb: false });
    expect(await media.details(cmyk, 'image/jpeg')).toEqual({ isSrgb: false });
  });

  it('of generated pictures, however it is written', async () => {
    for (const spelling of SPELLINGS) {
      const bytes = await gradient(64, 64).withXmp(packet(spelling)).jpeg().toBuffer();
      expect(await media.details(bytes, 'image/jpeg')).toMatchObject({
        digitalSourceType: 'trainedAlgorithmicMedia',
      });
    }
    const heic = writeHeif(tileOf(fixture('still.heic'), 128), { xmp: packet(SPELLINGS[0]!) });
    expect(await media.details(heic, 'image/heic')).toEqual({ digitalSourceType: 'trainedAlgorithmicMedia' });
    for (const other of ['', '<a DigitalSourceType="x"/>', `<a B="${GENERATED}"/>`]) {
      const bytes = await gradient(64, 64).withXmp(packet(other)).jpeg().toBuffer();
      expect(await media.details(bytes, 'image/jpeg')).toEqual({ isSrgb: true });
    }
  });
});

describe('a picture to be published', () => {
  const files: [string, SupportedMime][] = [
    ['storefront.jpg', 'image/jpeg'],
    ['emblem.png', 'image/png'],
    ['latte.webp', 'image/webp'],
    ['wheat-field.heic', 'image/heic'],
  ];

  it.each(files)('made of %s has the requested size, sRGB and no metadata', async (name, mime) => {
    for (const focus of [null, { x: 0.1, y: 0.9 }])
      for (const [width, height] of [
        [400, 500],
        [400, 400],
        [400, 210],
      ] as const) {
        const { bytes } = await fit(demoSample(name), mime, { width, height, focus });
        const facts = await sharp(bytes).metadata();
        expect(facts).toMatchObject({ format: 'jpeg', width, height, space: 'srgb', channels: 3 });
        expect([facts.exif, facts.xmp, facts.iptc, facts.icc]).toEqual([
          undefined,
          undefined,
          undefined,
          undefined,
        ]);
      }
  });

  /** Red on the left, green in the middle, blue on the right. */
  const stripes = async (width = 900, height = 300) =>
    sharp({ create: { width, height, channels: 3, background: '#00ff00' } })
      .composite([
        {
          input: { create: { width: width / 3, height, channels: 3, background: '#ff0000' } },
          left: 0,
          top: 0,
        },
        {
          input: { create: { width: width / 3, height, channels: 3, background: '#0000ff' } },
          left: (width / 3) * 2,
          top: 0,
        },
      ])
      .png()
      .toBuffer();
  const colourAt = async (bytes: Buffer, left: number, top: number) => {
    const pixel = await sharp(bytes).extract({ left, top, width: 1, height: 1 }).raw().toBuffer();
    return ['red', 'green', 'blue'][[...pixel].indexOf(Math.max(...pixel))];
  };

  it.each([
    [0, 'red', 'red'],
    [1 / 6, 'red', 'red'],
    [0.5, 'green', 'green'],
    [0.35, 'red', 'green'],
    [1, 'blue', 'blue'],
  ])('is cropped around the focal point at %d', async (x, left, right) => {
    const { bytes } = await fit(await stripes(), 'image/png', {
      width: 300,
      height: 300,
      focus: { x, y: 0.5 },
    });
    expect([await colourAt(bytes, 10, 150), await colourAt(bytes, 290, 150)]).toEqual([left, right]);
  });

  it('shows the focal point of the upright picture, however it is stored', async () => {
    const picture = sharp(await stripes());
    for (const orientation of ORIENTATIONS) {
      const stored = await storedAs(orientation, picture.clone())
        .withMetadata({ orientation })
        .jpeg()
        .toBuffer();
      const { bytes } = await fit(stored, 'image/jpeg', { width: 300, height: 300, focus: { x: 1, y: 0 } });
      expect([orientation, await colourAt(bytes, 10, 150), await colourAt(bytes, 290, 150)]).toEqual([
        orientation,
        'blue',
        'blue',
      ]);
    }
  });

  it('shows what catches the eye if there is no focal point, the same every time', async () => {
    const dot = Buffer.from(
      '<svg width="160" height="160"><circle cx="80" cy="80" r="80" fill="#ff3300"/></svg>',
    );
    for (const left of [40, 1000]) {
      const picture = await sharp({
        create: { width: 1200, height: 400, channels: 3, background: '#8a8f8c' },
      })
        .composite([{ input: dot, left, top: 120 }])
        .jpeg()
        .toBuffer();
      const first = await fit(picture, 'image/jpeg');
      const { channels } = await sharp(first.bytes).stats();
      expect(channels[0]!.max - channels[2]!.min).toBeGreaterThan(200);
      expect((await fit(picture, 'image/jpeg')).bytes.equals(first.bytes)).toBe(true);
    }
  });

  it('is converted to sRGB, and shows white where the original is transparent', async () => {
    const p3 = await sharp(await stripes())
      .withIccProfile('p3')
      .jpeg({ quality: 100 })
      .toBuffer();
    const { bytes } = await fit(p3, 'image/jpeg', { width: 300, height: 300, focus: { x: 0, y: 0 } });
    const [red, green, blue] = (await sharp(bytes).stats()).channels.map(({ mean }) => mean);
    expect(red).toBeGreaterThan(245);
    expect(Math.max(green!, blue!)).toBeLessThan(25);
    const clear = await sharp({ create: { width: 400, height: 400, channels: 4, background: '#00000000' } })
      .png()
      .toBuffer();
    const flat = await sharp((await fit(clear, 'image/png')).bytes).stats();
    expect(flat.channels.map(({ min }) => min)).toEqual([255, 255, 255]);
  });

  it('is reduced in quality until it is below the limit', async () => {
    const noise = Buffer.from(
      Array.from({ length: 600 * 600 * 3 }, (_, index) => (index * 7919 * index) & 255),
    );
    const bytes = await sharp(noise, { raw: { width: 600, height: 600, channels: 3 } })
      .png()
      .toBuffer();
    const size = { width: 600, height: 600 };
    const best = await fit(bytes, 'image/png', size);
    const limit = Math.round(best.bytes.length * 0.6);
    const smaller = await fit(bytes, 'image/png', { ...size, maxBytes: limit });
    expect(smaller.bytes.length).toBeLessThanOrEqual(limit);
    expect(await sharp(smaller.bytes).metadata()).toMatchObject(size);
  });

  it('keeps the disclosure of a generated picture, and nothing else of its metadata', async () => {
    const jpeg = await gradient(500, 500)
      .withExif(exif('2026:05:17 08:30:00'))
      .withXmp(packet(SPELLINGS[0]!))
      .jpeg()
      .toBuffer();
    const heic = writeHeif(tileOf(fixture('still.heic'), 128), { xmp: packet(SPELLINGS[1]!) });
    for (const [bytes, mime, side] of [
      [jpeg, 'image/jpeg', 400],
      [heic, 'image/heic', 128],
    ] as const) {
      const made = await fit(bytes, mime, { width: side, height: side });
      const facts = await sharp(made.bytes).metadata();
      expect(facts.xmp!.toString()).toContain(`DigitalSourceType="${GENERATED}"`);
      expect(facts.xmp!.toString()).not.toContain('Somebody');
      expect(facts.exif).toBeUndefined();
      expect(await media.details(made.bytes, 'image/jpeg')).toEqual({
        isSrgb: true,
        digitalSourceType: 'trainedAlgorithmicMedia',
      });
    }
    const preview = await media.render(jpeg, 'image/jpeg', { maxSide: 256 });
    expect((await sharp(preview.bytes).metadata()).xmp).toBeUndefined();
  });
});
