import { mediaDefaults } from '../../src/media/media-defaults.js';
import type { SupportedMime } from '../../src/media/file-types.js';
import { tileOf, writeHeif } from '../support/media/heif-writer.js';
import { fixture, MediaHarness, mimes, residentMb } from '../support/media/media-harness.js';
import { mutate } from '../support/media/mutations.js';
import { gradient, pngClaiming } from '../support/media/picture-files.js';

const MUTATIONS = Number(process.env.MUTATIONS ?? 60);

describe('rendering hostile files', () => {
  const media = new MediaHarness();
  const genuine = new Map<SupportedMime, Buffer>();
  const genuineOf = (mime: SupportedMime): Buffer => genuine.get(mime) ?? Buffer.alloc(0);

  beforeAll(async () => {
    genuine.set('image/jpeg', await gradient(240, 160).jpeg().withMetadata({ orientation: 6 }).toBuffer());
    genuine.set('image/png', await gradient(120, 80, 4).withIccProfile('p3').png().toBuffer());
    genuine.set('image/webp', await gradient(240, 160, 4).webp().toBuffer());
    genuine.set(
      'image/heic',
      writeHeif(tileOf(fixture('still.heic'), 128), {
        grid: { rows: 2, columns: 2 },
        colour: Buffer.concat([Buffer.from('prof'), Buffer.alloc(400, 0x41)]),
      }),
    );
    genuine.set('video/mp4', fixture('h264.mp4'));
  });
  afterAll(() => media.close());

  it('ignores an invalid profile', async () => {
    expect(await media.rendering(genuineOf('image/heic'), 'image/heic')).toBe('rendered');
  });

  it('enforces the pixel limit', async () => {
    expect(await media.rendering(pngClaiming(60_000, 60_000, 10), 'image/png')).toBe('media_invalid');
    const claim = { width: 40_000, height: 30_000 };
    const heic = writeHeif(tileOf(fixture('still.heic'), 128), { claim });
    expect(await media.rendering(heic, 'image/heic')).toBe('media_invalid');
  });

  it.each(['stts', 'ctts'])('shows a video whose %s claims billions of samples', async (table) => {
    const bytes = Buffer.from(genuineOf('video/mp4'));
    const firstRun = bytes.indexOf(table) + 12;
    bytes.writeUInt32BE(0xffffffff, firstRun);
    expect(await media.rendering(bytes, 'video/mp4')).toBe('rendered');
  });

  it.each(mimes)(
    `%s survives ${MUTATIONS} mutations`,
    async (mime) => {
      const verdicts = new Set<string>();
      for (let seed = 1; seed <= MUTATIONS; seed += 1)
        verdicts.add(await media.rendering(mutate(genuineOf(mime), seed), mime));
      expect(['rendered', 'media_invalid', 'content_mismatch']).toEqual(
        expect.arrayContaining([...verdicts]),
      );
      expect(verdicts.size).toBeGreaterThan(1);
    },
    60_000 + MUTATIONS * 2_000,
  );

  it('leaves children small and able to work', async () => {
    for (const mime of mimes) expect(await media.rendering(genuineOf(mime), mime)).toBe('rendered');
    expect(media.pool.pids().length).toBeLessThanOrEqual(mediaDefaults.decoders / 2);
    const allowedMb = mediaDefaults.recycleAboveBytes / 1024 / 1024;
    for (const pid of media.pool.pids()) expect(residentMb(pid) ?? 0).toBeLessThan(allowedMb + 50);
  });
});
