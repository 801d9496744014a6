import sharp from 'sharp';
import { meanDeltaE } from '../../support/media/comparison.js';
import { box } from '../../support/media/heif-writer.js';
import { demoSample, fixture, MediaHarness } from '../../support/media/media-harness.js';
import { RangeServer } from '../../support/media/range-server.js';

describe('posters of videos', () => {
  const media = new MediaHarness();
  let scene: Buffer;
  const poster = (bytes: Buffer) => media.render(bytes, 'video/mp4', { maxSide: null });

  /** The source of the fixtures. */
  beforeAll(async () => {
    const scenes: string = '../../../scripts/samples/scenes.mjs'; // Not typed.
    const { steamFrame } = (await import(scenes)) as {
      steamFrame: (time: number) => string;
    };
    scene = await sharp(Buffer.from(steamFrame(0)))
      .resize(160, 90)
      .png()
      .toBuffer();
  });
  afterAll(() => media.close());

  it.each(['h264.mp4', 'hevc.mp4', 'vp9.mp4', 'moov-last.mp4', 'fragmented.mp4'])(
    'shows the scene of %s',
    async (name) => {
      const picture = await poster(fixture(name));
      expect(picture).toMatchObject({ width: 160, height: 90 });
      expect(await meanDeltaE(picture.bytes, scene)).toBeLessThan(4.5);
    },
  );

  it('converts the colours of HDR (HLG, BT.2020) to what a screen shows', async () => {
    const { bytes } = await poster(fixture('hlg.mp4'));
    expect(await meanDeltaE(bytes, scene)).toBeLessThan(5);
  });

  it('gives several sizes, never enlarged, and a thumbhash', async () => {
    const [small, full, large] = await media.renderAll(demoSample('steam.mp4'), 'video/mp4', [
      { maxSide: 320, format: 'webp', placeholder: true },
      { maxSide: null },
      { maxSide: 5_000 },
    ]);
    expect(small).toMatchObject({
      width: 320,
      height: 180,
      placeholder: expect.stringMatching(/^[\w+/]{20,}=*$/),
    });
    expect([full?.width, large?.width]).toEqual([1280, 1280]);
    expect((await sharp(small?.bytes).metadata()).format).toBe('webp');
  });

  it.each([
    [90, 90, 160],
    [180, 160, 90],
    [270, 90, 160],
  ])('is upright when recorded with a rotation of %i°', async (degrees, width, height) => {
    const plain = await poster(fixture('h264.mp4'));
    const picture = await poster(turned(fixture('h264.mp4'), degrees));
    expect(picture).toMatchObject({ width, height });
    const expected = await sharp(plain.bytes).rotate(degrees).png().toBuffer();
    expect(await meanDeltaE(picture.bytes, expected)).toBeLessThan(2);
  });

  it('is as wide as in players when pixels are not square', async () => {
    expect(await poster(fixture('anamorphic.mp4'))).toMatchObject({ width: 320, height: 90 });
  });

  it('has at most 2,048 pixels on a side, however wide a small file claims to be', async () => {
    const wide = Buffer.from(fixture('anamorphic.mp4'));
    // From 2:1 to 40:1, so that 160 × 90 pixels are shown as 6,400 × 90.
    wide.writeUInt32BE(40, wide.indexOf('pasp') + 4);
    expect(await poster(wide)).toMatchObject({ width: 2_048, height: 29 });
  });

  it('skips black frames, unless there is nothing else', async () => {
    const late = await poster(fixture('black-start.mp4'));
    expect(await meanDeltaE(late.bytes, scene)).toBeLessThan(6);
    const black = await poster(fixture('all-black.mp4'));
    expect(Math.max(...(await sharp(black.bytes).stats()).channels.map(({ max }) => max))).toBeLessThan(10);
  });

  it('reads the index and the first frame of a large file, not the file', async () => {
    const bytes = fixture('moov-last.mp4');
    const padding = box('free', Buffer.alloc(30_000_000));
    const moved = Buffer.concat([bytes.subarray(0, 32), padding, bytes.subarray(32)]);
    const table = moved.indexOf('stco') + 12;
    moved.writeUInt32BE(moved.readUInt32BE(table) + padding.length, table);
    const server = await RangeServer.start(moved);
    const source = { kind: 'url' as const, url: server.url, sizeBytes: moved.length };
    expect(await media.render(source, 'video/mp4')).toMatchObject({ width: 160, height: 90 });
    expect(server.bytesSent).toBeLessThan(300_000);
    await server.close();
  });

  it('does not blame the file when the store fails', async () => {
    const server = await RangeServer.start(fixture('h264.mp4'), () => (_, response) => {
      response.writeHead(503).end();
    });
    const source = { kind: 'url' as const, url: server.url, sizeBytes: fixture('h264.mp4').length };
    await expect(media.render(source, 'video/mp4')).rejects.toMatchObject({ name: 'MediaSourceError' });
    await server.close();
  });

  it('rejects sound alone and frames that cannot be decoded', async () => {
    expect(await media.rendering(fixture('sound-only.mp4'), 'video/mp4')).toBe('media_invalid');
    const bytes = fixture('h264.mp4');
    bytes.fill(0xaa, bytes.indexOf('mdat') + 4);
    expect(await media.rendering(bytes, 'video/mp4')).toBe('media_invalid');
  });
});

/** Writes another rotation into the track header, as phones do. */
function turned(mp4: Buffer, degrees: number): Buffer {
  const matrix = mp4.indexOf('tkhd') + 4 + 40;
  const [cosine, sine] = [
    Math.round(Math.cos((degrees * Math.PI) / 180)),
    Math.round(Math.sin((degrees * Math.PI) / 180)),
  ];
  [cosine, sine, 0, -sine, cosine].forEach((value, index) =>
    mp4.writeInt32BE(value * 65_536, matrix + index * 4),
  );
  return mp4;
}
