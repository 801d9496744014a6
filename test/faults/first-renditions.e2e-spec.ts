import { drainQueue } from '../support/services/background.js';
import { eventually, Signal } from '../support/eventually.js';
import { FaultyService } from '../support/faults/faulty-service.js';
import { query, type ServiceProcess } from '../support/services/service.js';
import { FILES, sha256, type TestFile, uniqueJpeg, Uploader } from '../support/api/uploads.js';

const RENDITION = /\/renditions\//;

describe('The first renditions of an upload', () => {
  let faulty: FaultyService<ServiceProcess>;
  beforeAll(async () => {
    faulty = await FaultyService.startProcess({ WORKER: 'inline', SHUTDOWN_DRAIN_SECONDS: '0' });
  });
  afterEach(() => faulty.heal());
  afterAll(() => faulty.close());

  /** The requests of the service to the store for one asset. */
  const callsFor = (assetId: string) =>
    faulty.store.requests
      .filter(({ key }) => key.includes(`/assets/${assetId}/`))
      .map(({ method, key }) => `${method} ${RENDITION.test(key) ? key.split('/').pop() : 'original'}`);
  const stored = async (assetId: string) =>
    (await faulty.bucket.keys(`clients/${faulty.clientId}/assets/${assetId}/renditions/`)).map((key) =>
      key.split('/').pop(),
    );
  const upload = async (file: TestFile) => (await faulty.uploader.upload(file)).assetId as string;
  const expectBoth = (assetId: string) =>
    eventually(async () => expect(await stored(assetId)).toEqual(['small.webp', 'thumb.webp']));
  /** Stops the service from storing renditions; resolves when it tries. */
  const holdStoring = () => {
    const [tried, release] = [new Signal(), new Signal()];
    const before = () => {
      tried.fire();
      return release.wait('the end of the test', 60_000).catch(() => undefined);
    };
    faulty.store.on({ method: 'PUT', key: RENDITION }, { before });
    return { tried, release };
  };

  it.each(['jpeg', 'png', 'webp', 'heic'] as const)(
    'of a %s are made from the one read that verified it, and not again by the queue',
    async (type) => {
      const assetId = await upload(FILES[type]);
      await expectBoth(assetId);
      await drainQueue(faulty);
      const calls = callsFor(assetId);
      expect(calls.slice(0, 2)).toEqual(['PUT original', 'GET original']);
      expect(calls.slice(2).sort()).toEqual(['PUT small.webp', 'PUT thumb.webp']);
    },
  );

  it('are sent to callers before they are stored, without another read of the original', async () => {
    const { tried, release } = holdStoring();
    const assetId = await upload(uniqueJpeg());
    await tried.wait('the first renditions');
    const asked = ['thumb', 'small'].map((size) =>
      faulty.uploader.api.fetch('GET', `${faulty.uploader.base}/${assetId}/preview?size=${size}`, {
        headers: { accept: 'image/jpeg' },
      }),
    );
    await eventually(() => expect(callsFor(assetId)).toHaveLength(6));
    release.fire();
    for (const response of await Promise.all(asked)) {
      expect(response.status).toBe(200);
      const bytes = Buffer.from(await response.arrayBuffer());
      expect(response.headers.get('etag')).toBe(`"${sha256(bytes)}"`);
    }
    expect(callsFor(assetId).filter((call) => call === 'GET original')).toHaveLength(1);
  });

  it('do not delay the response to a finalize', async () => {
    const { tried, release } = holdStoring();
    const assetId = await upload(uniqueJpeg());
    await tried.wait('the first renditions');
    expect(await stored(assetId)).toEqual([]);
    release.fire();
    await expectBoth(assetId);
  });

  it('are made by the queue when the process is killed after the commit', async () => {
    const { tried } = holdStoring();
    const assetId = await upload(uniqueJpeg());
    await tried.wait('the first renditions');
    await faulty.crashAndRestart();
    expect(await stored(assetId)).toEqual([]);
    // The dead process held them for a few seconds.
    await query(faulty.databaseUrl, `UPDATE renditions SET hold_until = now() WHERE asset_id = $1`, [
      assetId,
    ]);
    await drainQueue(faulty);
    expect(await stored(assetId)).toEqual(['small.webp', 'thumb.webp']);
  });

  it('are made by a job two minutes later if they are missing then', async () => {
    const { tried, release } = holdStoring();
    const assetId = await upload(uniqueJpeg());
    await tried.wait('the first renditions');
    const jobs = await query<{ seconds: number }>(
      faulty.databaseUrl,
      `SELECT extract(epoch FROM run_at - now())::int AS seconds FROM graphile_worker._private_jobs
        WHERE payload->>'assetId' = $1`,
      [assetId],
    );
    expect(jobs).toHaveLength(1);
    expect(jobs[0]!.seconds).toBeGreaterThan(60);
    expect(jobs[0]!.seconds).toBeLessThanOrEqual(120);
    release.fire();
    await expectBoth(assetId);
  });

  it('are made by the queue when the store rejects them at first', async () => {
    faulty.store.on({ method: 'PUT', key: RENDITION }, 'fail');
    const assetId = await upload(uniqueJpeg());
    await eventually(() => expect(callsFor(assetId).length).toBeGreaterThan(3));
    await eventually(async () =>
      expect(
        await query(
          faulty.databaseUrl,
          `SELECT 1 FROM renditions WHERE asset_id = $1 AND hold_until IS NULL AND status = 'making'`,
          [assetId],
        ),
      ).toHaveLength(2),
    );
    faulty.heal();
    await drainQueue(faulty);
    expect(await stored(assetId)).toEqual(['small.webp', 'thumb.webp']);
  });

  it('are left to the worker by a process that does no background work', async () => {
    const other = await faulty.service.another({ WORKER: 'off' });
    try {
      const uploader = new Uploader(faulty.uploader.api.at(other.url), faulty.uploader.base);
      const { assetId } = (await uploader.upload(uniqueJpeg())) as { assetId: string };
      await expectBoth(assetId);
      // Once to verify it, once by the worker.
      expect(callsFor(assetId).filter((call) => call === 'GET original')).toHaveLength(2);
    } finally {
      await other.stop();
    }
  });

  it('do not keep a process from stopping', async () => {
    const { tried, release } = holdStoring();
    const assetId = await upload(uniqueJpeg());
    await tried.wait('the first renditions');
    const stopped = faulty.service.stop();
    expect(await stopped).toBe(0);
    release.fire();
    faulty.service = await faulty.service.restart();
    await query(faulty.databaseUrl, `UPDATE renditions SET hold_until = now() WHERE asset_id = $1`, [
      assetId,
    ]);
    await drainQueue(faulty);
    await expectBoth(assetId);
  });
});
