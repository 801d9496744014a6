import sharp from 'sharp';
import { Bucket } from '../support/store/bucket.js';
import { eventually } from '../support/eventually.js';
import { readMetrics } from '../support/services/metrics.js';
import { newClient, newKey } from '../support/api/people.js';
import { expectProblem } from '../support/api/problems.js';
import {
  OWNER,
  query,
  type ServiceProcess,
  startProcess,
  startService,
} from '../support/services/service.js';
import { FILES, SAMPLES, sha256, uniqueJpeg, Uploader } from '../support/api/uploads.js';

let service: ServiceProcess;
let bucket: Bucket;
let admin: Uploader;
let clientId: string;

beforeAll(async () => {
  // Nothing is made in advance: the first request makes it.
  service = await startProcess();
  bucket = new Bucket(service);
  const owner = await service.api.signIn(OWNER);
  clientId = await newClient(owner);
  admin = Uploader.admin(owner, clientId);
});

afterAll(async () => {
  bucket.close();
  await service.stop();
});

async function preview(assetId: string, query = '', headers: Record<string, string> = {}, method = 'GET') {
  const response = await admin.api.fetch(method, `${admin.base}/${assetId}/preview${query}`, { headers });
  return {
    status: response.status,
    headers: response.headers,
    bytes: Buffer.from(await response.arrayBuffer()),
  };
}

const rendition = (assetId: string, name: string) =>
  `clients/${clientId}/assets/${assetId}/renditions/${name}`;

describe('Previews', () => {
  it.each(['jpeg', 'png', 'webp', 'mp4'] as const)(
    'show the original of a %s, which browsers can show',
    async (type) => {
      const { assetId } = await admin.upload(FILES[type]);
      const shown = await preview(assetId);
      expect(shown.status).toBe(200);
      expect(shown.bytes.equals(FILES[type].bytes)).toBe(true);
      expect(shown.headers.get('content-type')).toBe(FILES[type].mimeType);
      expect(shown.headers.get('content-disposition')).toMatch(/^inline/);
    },
  );

  it('are cached without revalidation while the URL contains the current version, and only then', async () => {
    const { assetId, version } = await admin.upload(uniqueJpeg());
    const cacheOf = async (query: string, headers?: Record<string, string>) =>
      (await preview(assetId, query, headers)).headers.get('cache-control');
    const cached = 'private, max-age=604800, immutable';
    for (const query of ['?', '?size=thumb&', '?size=large&', '?fit=website&']) {
      expect(await cacheOf(`${query}v=${version}`)).toBe(cached);
      for (const other of ['', `v=${version + 1}`, 'v=0'])
        expect(await cacheOf(query + other)).toBe('private, no-cache');
    }
    const { headers } = await preview(assetId, `?size=thumb&v=${version}`);
    const known = await preview(assetId, `?size=thumb&v=${version}`, {
      'if-none-match': headers.get('etag')!,
    });
    expect([known.status, known.headers.get('cache-control')]).toEqual([304, cached]);

    const { body } = await admin.api.patch(`${admin.base}/${assetId}`, { focalPoint: { x: 0.1, y: 0.9 } });
    expect(await cacheOf(`?fit=website&v=${version}`)).toBe('private, no-cache');
    expect(await cacheOf(`?fit=website&v=${body.version}`)).toBe(cached);
    const outside = await preview(assetId, `?v=${body.version}`, { range: 'bytes=999999999-' });
    expect([outside.status, outside.headers.get('cache-control')]).toEqual([416, 'private, no-store']);
    await admin.api.delete(`${admin.base}/${assetId}`);
    const gone = await preview(assetId, `?size=thumb&v=${body.version}`);
    expect([gone.status, gone.headers.get('cache-control')]).toEqual([404, 'private, no-store']);
  });

  it('show what fits a surface, cropped around the focal point', async () => {
    const { assetId } = await admin.upload(uniqueJpeg());
    const square = await preview(assetId, '?fit=website&shape=square');
    expect(square.headers.get('content-type')).toBe('image/jpeg');
    expect(square.headers.get('content-disposition')).toMatch(/^inline/);
    const { width, height } = await sharp(square.bytes).metadata();
    expect(width).toBe(height);
    expect((await preview(assetId, '?fit=website&size=thumb')).status).toBe(400);
    const video = await admin.upload(FILES.mp4);
    expect((await preview(video.assetId, '?fit=website')).status).toBe(415);
  });

  it('convert a HEIC to a picture of the same size', async () => {
    const { assetId, width, height } = await admin.upload(FILES.heic);
    const shown = await preview(assetId);
    expect(shown.headers.get('content-type')).toBe('image/jpeg');
    expect(await sharp(shown.bytes).metadata()).toMatchObject({ format: 'jpeg', width, height });
  });

  it.each(Object.keys(SAMPLES) as (keyof typeof SAMPLES)[])(
    'give a %s in every size, without metadata',
    async (type) => {
      const { assetRef, width, height } = await admin.upload(SAMPLES[type]);
      for (const [size, side] of [
        ['thumb', 256],
        ['small', 640],
        ['large', 1600],
      ] as const) {
        const shown = await preview(assetRef, `?size=${size}`, { accept: 'image/avif,image/webp,*/*;q=0.8' });
        expect(shown.headers.get('content-type')).toBe('image/webp');
        expect(shown.headers.get('vary')).toMatch(/accept/i);
        const facts = await sharp(shown.bytes).metadata();
        expect(Math.max(facts.width, facts.height)).toBe(Math.min(side, Math.max(width, height)));
        expect(facts.width / facts.height).toBeCloseTo(width / height, 1);
        expect([facts.exif, facts.xmp, facts.iptc, facts.icc]).toEqual([
          undefined,
          undefined,
          undefined,
          undefined,
        ]);
      }
      const jpeg = await preview(assetRef, '?size=thumb', { accept: 'image/jpeg' });
      expect(jpeg.headers.get('content-type')).toBe('image/jpeg');
      expect((await sharp(jpeg.bytes).metadata()).format).toBe('jpeg');
    },
  );

  it('are safe to show: no sniffing, nothing active, only for this browser', async () => {
    const { assetId } = await admin.upload(FILES.png);
    for (const size of ['', '?size=thumb']) {
      const { headers } = await preview(assetId, size);
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('content-security-policy')).toBe("default-src 'none'; sandbox");
      expect(headers.get('cache-control')).toMatch(/^private/);
      expect(headers.get('location')).toBeNull();
    }
  });

  it('of a video add the placeholder to the record, without a new version', async () => {
    const { assetId, version } = await admin.upload(FILES.mp4);
    const record = async () => (await admin.api.get(`${admin.base}/${assetId}`)).body;
    expect(await record()).toMatchObject({ placeholder: null, version });
    expect((await preview(assetId, '?size=small')).status).toBe(200);
    const { placeholder, version: later } = await record();
    expect(later).toBe(version);
    expect(placeholder).toMatch(/^[\w+/]{20,}=*$/);
    await preview(assetId, '?size=thumb');
    expect((await record()).placeholder).toBe(placeholder);
  });

  it('have a name that is safe to save, whatever the title', async () => {
    const { assetId } = await admin.upload(FILES.png);
    const nameOf = async (title: string) => {
      await admin.api.patch(`${admin.base}/${assetId}`, { title });
      const { status, headers } = await preview(assetId, '?size=thumb');
      expect(status).toBe(200);
      const disposition = headers.get('content-disposition')!;
      const encoded = /filename\*=UTF-8''([^;]+)/.exec(disposition)?.[1];
      return encoded ? decodeURIComponent(encoded) : /filename="?([^";]+)/.exec(disposition)?.[1];
    };
    // Truncated at the hundredth unit, the loaf would be half a character.
    const bread = `${'a'.repeat(99)}🍞`;
    expect(await nameOf(bread)).toBe(`${bread}.webp`);
    expect(await nameOf('../\u202egpj.exe')).toBe('.._gpj.exe.webp');
  });

  it('have a strong ETag, and return 304 to callers who have them', async () => {
    const { assetId } = await admin.upload(FILES.jpeg);
    for (const size of ['', '?size=small']) {
      const first = await preview(assetId, size);
      const etag = first.headers.get('etag')!;
      expect(etag).toBe(`"${sha256(first.bytes)}"`);
      const again = await preview(assetId, size, { 'if-none-match': etag });
      expect([again.status, again.bytes.length]).toEqual([304, 0]);
    }
  });

  it('seek in a video the way Safari does', async () => {
    const { assetId } = await admin.upload(SAMPLES.mp4);
    const { bytes } = SAMPLES.mp4;
    const size = bytes.length;
    const ranges: [string, number, number][] = [
      ['bytes=0-1', 0, 1],
      ['bytes=-1000', size - 1000, size - 1],
      [`bytes=${Math.floor(size / 2)}-`, Math.floor(size / 2), size - 1],
    ];
    for (const [range, start, end] of ranges) {
      const part = await preview(assetId, '', { range });
      expect(part.status).toBe(206);
      expect(part.headers.get('content-range')).toBe(`bytes ${start}-${end}/${size}`);
      expect(part.bytes.equals(bytes.subarray(start, end + 1))).toBe(true);
    }
    const beyond = await preview(assetId, '', { range: `bytes=${size}-` });
    expect([beyond.status, beyond.headers.get('content-range')]).toEqual([416, `bytes */${size}`]);
    const whole = await preview(assetId, '', { range: 'bytes=0-1', 'if-range': '"another"' });
    expect([whole.status, whole.bytes.length]).toEqual([200, size]);
    const head = await preview(assetId, '', {}, 'HEAD');
    expect([head.status, head.headers.get('content-length'), head.bytes.length]).toEqual([
      200,
      String(size),
      0,
    ]);
    const poster = await preview(assetId, '?size=thumb', { range: 'bytes=0-3' });
    expect([poster.status, poster.bytes.toString('latin1')]).toEqual([206, 'RIFF']);
  });

  it('are hidden from callers without access, also if they were cached before', async () => {
    const { assetId } = await admin.upload(uniqueJpeg());
    const key = await newKey(admin.api, { role: 'viewer', clientIds: [clientId] });
    const viewer = admin.api.as(key.key);
    const path = `${admin.base}/${assetId}/preview?size=thumb`;
    expect((await viewer.fetch('GET', path)).status).toBe(200);
    const other = await newKey(admin.api, { role: 'viewer', clientIds: [await newClient(admin.api)] });
    expectProblem(await admin.api.as(other.key).get(path), 404, 'client_not_found');
    await admin.api.delete(`/admin/api-keys/${key.keyId}`);
    expectProblem(await viewer.get(path), 401, 'unauthenticated');
    await admin.api.delete(`${admin.base}/${assetId}`);
    expectProblem(await admin.api.get(path), 404, 'asset_not_found');
    expectProblem(await admin.api.get(`${admin.base}/${assetId}/preview`), 404, 'asset_not_found');
  });

  it('do not exist for an upload that was never finalized', async () => {
    const { sessionId } = await admin.stage(FILES.jpeg);
    const [row] = await query<{ asset_id: string }>(
      service.databaseUrl,
      'SELECT asset_id FROM upload_sessions WHERE id = $1',
      [sessionId],
    );
    expectProblem(await admin.api.get(`${admin.base}/${row!.asset_id}/preview`), 404, 'asset_not_found');
    expectProblem(await admin.api.get(`${admin.base}/nonsense/preview`), 404, 'asset_not_found');
    expectProblem(
      await admin.api.get(`${admin.base}/${row!.asset_id}/preview?size=huge`),
      400,
      'validation_failed',
    );
  });

  it('are made once, however many simultaneous requests there are in however many processes', async () => {
    const { assetId } = await admin.upload(uniqueJpeg());
    const second = await service.restart({ PORT: undefined });
    try {
      const made = async () => {
        const counted = await Promise.all([service.api, second.api].map((api) => readMetrics(api)));
        return counted.reduce(
          (sum, series) => sum + (series.get('renditions_total{outcome="made"}') ?? 0),
          0,
        );
      };
      const before = await made();
      const responses = await Promise.all(
        Array.from({ length: 100 }, (_, index) =>
          (index % 2 ? admin.api : admin.api.at(second.url)).fetch(
            'GET',
            `${admin.base}/${assetId}/preview?size=small`,
          ),
        ),
      );
      const hashes = await Promise.all(
        responses.map(async (response) => sha256(Buffer.from(await response.arrayBuffer()))),
      );
      expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
      expect(new Set(hashes).size).toBe(1);
      // `thumb` and `small` together.
      expect(await made()).toBe(before + 2);
    } finally {
      await second.stop();
    }
  });

  it('are made again when they are lost', async () => {
    const { assetId } = await admin.upload(uniqueJpeg());
    const first = await preview(assetId, '?size=large');
    const key = rendition(assetId, 'large.webp');
    await bucket.delete(key);
    // A process that has never seen it has no copy in memory.
    const fresh = await service.another();
    try {
      const response = await admin.api
        .at(fresh.url)
        .fetch('GET', `${admin.base}/${assetId}/preview?size=large`);
      expect(Buffer.from(await response.arrayBuffer()).equals(first.bytes)).toBe(true);
      expect((await bucket.read(key)).equals(first.bytes)).toBe(true);
    } finally {
      await fresh.stop();
    }
  });

  it('have a new ETag when their bytes differ the second time', async () => {
    const { assetId } = await admin.upload(uniqueJpeg());
    const first = await preview(assetId, '?size=large');
    await bucket.delete(rendition(assetId, 'large.webp'));
    // As if an older encoder had made the one that was lost.
    await query(
      service.databaseUrl,
      `UPDATE renditions SET sha256 = repeat('0', 64), size_bytes = size_bytes + 100 WHERE asset_id = $1`,
      [assetId],
    );
    const again = await preview(assetId, '?size=large');
    expect([again.status, again.headers.get('etag')]).toEqual([200, `"${sha256(again.bytes)}"`]);
    expect(again.bytes.equals(first.bytes)).toBe(true);
    expect((await preview(assetId, '?size=large')).headers.get('etag')).toBe(again.headers.get('etag'));
  });

  it('record what cannot be made and why, and report it immediately', async () => {
    const { assetId } = await admin.upload(uniqueJpeg());
    const [asset] = await query<{ attempt: string }>(
      service.databaseUrl,
      'SELECT attempt FROM assets WHERE id = $1',
      [assetId],
    );
    // As if a decoder had become stricter since the upload.
    const broken = Buffer.alloc((await preview(assetId)).bytes.length, 'x');
    await bucket.write(`clients/${clientId}/assets/${assetId}/${asset!.attempt}`, broken);
    expectProblem(await admin.api.get(`${admin.base}/${assetId}/preview?size=thumb`), 422, 'media_invalid');
    const [remembered] = await query<{ status: string; failures: number }>(
      service.databaseUrl,
      'SELECT status, failures FROM renditions WHERE asset_id = $1',
      [assetId],
    );
    expect(remembered).toEqual({ status: 'failed', failures: 1 });
    expectProblem(await admin.api.get(`${admin.base}/${assetId}/preview?size=thumb`), 422, 'media_invalid');
    const rows = await query(
      service.databaseUrl,
      'SELECT 1 FROM renditions WHERE asset_id = $1 AND failures = 1',
      [assetId],
    );
    expect(rows).toHaveLength(2);
  });
});

describe('After an upload', () => {
  it('the worker makes thumb and small in advance, and purging the asset deletes them', async () => {
    // A separate client, because the uploads of the other tests would come first.
    const working = await startService({ WORKER: 'inline' });
    const workingBucket = new Bucket(working);
    try {
      const ownerThere = await working.api.signIn(OWNER);
      const client = await newClient(ownerThere);
      const there = Uploader.admin(ownerThere, client);
      const { assetId } = await there.upload(uniqueJpeg());
      const names = async () =>
        (await workingBucket.keys(`clients/${client}/assets/${assetId}/renditions/`)).map((key) =>
          key.split('/').pop(),
        );
      await eventually(async () => expect(await names()).toEqual(['small.webp', 'thumb.webp']));
      const { batchId } = (await there.api.delete(`${there.base}/${assetId}`)).body;
      await there.api.delete(`${there.base}/trash`, { batchId });
      await eventually(async () => expect(await names()).toEqual([]));
      await eventually(async () =>
        expect(
          await query(working.databaseUrl, 'SELECT 1 FROM renditions WHERE asset_id = $1', [assetId]),
        ).toEqual([]),
      );
    } finally {
      workingBucket.close();
      await working.stop();
    }
  });
});
