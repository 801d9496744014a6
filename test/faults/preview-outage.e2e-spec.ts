import { randomBytes } from 'node:crypto';
import sharp from 'sharp';
import type { ApiResponse } from '../support/api/api.js';
import { sampleCases } from '../support/jest/sample-cases.js';
import type { StoreFault } from '../support/faults/fault-proxy.js';
import { FaultyService } from '../support/faults/faulty-service.js';
import { expectProblem } from '../support/api/problems.js';
import { query, type Service } from '../support/services/service.js';
import { FILES, SAMPLES, sha256, type TestFile, uniqueJpeg } from '../support/api/uploads.js';

/** Other tests keep the machine busy: a healthy store may take more than a second. */
const TIMEOUT_SECONDS = 2;
const ORIGINAL = /\/assets\/[^/]+\/[^/]+$/;
const RENDITION = /\/renditions\//;
const BEFORE_THE_BODY = ['fail', 'hang', 'cut'] as const;
const MIDWAY = ['cutMidway', 'stallMidway'] as const;

describe('When the store fails while a preview is requested', () => {
  let faulty: FaultyService;
  /** Makes renditions that the one under test has never had in its memory. */
  let other: Service;
  beforeAll(async () => {
    faulty = await FaultyService.start({ STORAGE_TIMEOUT_SECONDS: String(TIMEOUT_SECONDS) });
    other = await faulty.service.another();
  });
  afterEach(() => faulty.heal());
  afterAll(async () => {
    await other?.stop();
    await faulty?.close();
  });

  const pathOf = (assetId: string, size: string) => `${faulty.uploader.base}/${assetId}/preview${size}`;
  const preview = (assetId: string, size: string, headers: Record<string, string> = {}) =>
    faulty.uploader.api.fetch('GET', pathOf(assetId, size), { headers });

  /** Made and stored, but not by the process under test. */
  const makeElsewhere = async (assetId: string, size: string) => {
    const response = await faulty.uploader.api.at(other.url).fetch('GET', pathOf(assetId, size));
    expect(response.status).toBe(200);
    return Buffer.from(await response.arrayBuffer());
  };

  const expectUnavailable = async (assetId: string, size: string, headers?: Record<string, string>) => {
    const startedAt = Date.now();
    const response: ApiResponse = await faulty.uploader.api.get(pathOf(assetId, size), headers);
    // Each timeout may occur once, and reading is retried after a failure.
    expect(Date.now() - startedAt).toBeLessThan(TIMEOUT_SECONDS * 1_000 + 6_000);
    expectProblem(response, 503, 'storage_unavailable');
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(JSON.stringify(response.body)).not.toMatch(/As told|InternalError|ECONN|127\.0\.0\.1/);
    // Headers that a cache or a browser would apply to the picture must not be sent with an error.
    expect(response.headers.get('etag')).toBeNull();
    expect(response.headers.get('content-range')).toBeNull();
  };

  const expectPicture = async (assetId: string, size: string, mimeType = 'image/webp') => {
    const response = await preview(assetId, size);
    const bytes = Buffer.from(await response.arrayBuffer());
    expect([response.status, response.headers.get('content-type')]).toEqual([200, mimeType]);
    expect(response.headers.get('etag')).toBe(`"${sha256(bytes)}"`);
    return bytes;
  };

  const remembered = (assetId: string) =>
    query(
      faulty.databaseUrl,
      `SELECT 1 FROM renditions WHERE asset_id = $1 AND (status = 'failed' OR hold_until IS NOT NULL AND status <> 'ready')`,
      [assetId],
    );

  const steps: { step: string; match: { method: string; key: RegExp }; faults: readonly StoreFault[] }[] = [
    {
      step: 'reading the original',
      match: { method: 'GET', key: ORIGINAL },
      faults: [...BEFORE_THE_BODY, ...MIDWAY],
    },
    {
      step: 'storing the rendition',
      match: { method: 'PUT', key: RENDITION },
      faults: [...BEFORE_THE_BODY, 'cutAfter'],
    },
  ];
  const kinds = [
    { kind: 'a JPEG', file: uniqueJpeg(), size: '?size=thumb', mimeType: 'image/webp' },
    { kind: 'a HEIC at full size', file: FILES.heic, size: '', mimeType: 'image/jpeg' },
    { kind: 'the poster of a film', file: FILES.mp4, size: '?size=small', mimeType: 'image/webp' },
  ];
  const making = kinds.flatMap((kind) =>
    steps.flatMap(({ faults, ...step }) => faults.map((fault) => ({ ...kind, ...step, fault }))),
  );

  it.each(sampleCases(making, 10))(
    'making $kind, $step ($fault): 503, the file is not blamed, and then it is made',
    async ({ file, size, mimeType, match, fault }) => {
      const { assetId } = await faulty.uploader.upload(file);
      faulty.store.on(match, fault);
      await expectUnavailable(assetId, size);
      expect(await remembered(assetId)).toEqual([]);
      faulty.heal();
      await expectPicture(assetId, size, mimeType);
    },
  );

  it.each(sampleCases([...BEFORE_THE_BODY, ...MIDWAY], 3))(
    'a rendition that is stored but not in memory (%s): 503, then the same bytes',
    async (fault) => {
      const { assetId } = await faulty.uploader.upload(await noisyJpeg(120, 80));
      const made = await makeElsewhere(assetId, '?size=thumb');
      faulty.store.on({ method: 'GET', key: RENDITION }, fault);
      await expectUnavailable(assetId, '?size=thumb');
      faulty.heal();
      expect((await expectPicture(assetId, '?size=thumb')).equals(made)).toBe(true);
      faulty.store.on({}, 'fail');
      expect((await expectPicture(assetId, '?size=thumb')).equals(made)).toBe(true);
    },
  );

  it.each(sampleCases(BEFORE_THE_BODY, 1))(
    'a rendition too large to be kept in memory (%s): 503, then the same bytes',
    async (fault) => {
      const { assetId } = await faulty.uploader.upload(await noisyJpeg(1600, 1200));
      const made = await makeElsewhere(assetId, '?size=large');
      expect(made.length).toBeGreaterThan(256 * 1024);
      faulty.store.on({ method: 'GET', key: RENDITION }, fault);
      await expectUnavailable(assetId, '?size=large');
      faulty.heal();
      expect((await expectPicture(assetId, '?size=large')).equals(made)).toBe(true);
    },
  );

  it.each(sampleCases(BEFORE_THE_BODY, 1))(
    'an original, whole and in ranges (%s): 503, then its bytes',
    async (fault) => {
      const jpeg = uniqueJpeg();
      const picture = await faulty.uploader.upload(jpeg);
      const film = await faulty.uploader.upload(SAMPLES.mp4);
      faulty.store.on({ method: 'GET', key: ORIGINAL }, fault);
      await expectUnavailable(picture.assetId, '');
      for (const range of ['bytes=0-1', 'bytes=-1000', 'bytes=5000-'])
        await expectUnavailable(film.assetId, '', { range });
      faulty.heal();
      expect((await expectPicture(picture.assetId, '', 'image/jpeg')).equals(jpeg.bytes)).toBe(true);
      const part = await preview(film.assetId, '', { range: 'bytes=5000-5999' });
      expect(part.status).toBe(206);
      expect(Buffer.from(await part.arrayBuffer()).equals(SAMPLES.mp4.bytes.subarray(5000, 6000))).toBe(true);
    },
  );

  it('never ends early as if complete', async () => {
    const { assetId } = await faulty.uploader.upload(SAMPLES.mp4);
    faulty.store.on({ method: 'GET', key: ORIGINAL }, 'cutMidway');
    for (const headers of [{}, { range: 'bytes=1000-' }] as Record<string, string>[]) {
      const response = await preview(assetId, '', headers);
      await expect(response.arrayBuffer()).rejects.toThrow();
    }
  });

  it('a caller who has it still gets a 304, without the store', async () => {
    const { assetId, sha256: hash } = await faulty.uploader.upload(uniqueJpeg());
    faulty.store.on({}, 'fail');
    expect((await preview(assetId, '', { 'if-none-match': `"${hash}"` })).status).toBe(304);
  });
});

/** A picture with unique and large renditions, because noise compresses badly. */
async function noisyJpeg(width: number, height: number): Promise<TestFile> {
  const bytes = await sharp(randomBytes(width * height * 3), { raw: { width, height, channels: 3 } })
    .jpeg({ quality: 90 })
    .toBuffer();
  return { name: 'noise.jpg', mimeType: 'image/jpeg', bytes };
}
