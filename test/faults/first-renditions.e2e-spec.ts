import { setTimeout as delay } from 'node:timers/promises';
import { drainQueue, runJob } from '../support/background.js';
import { eventually, Signal } from '../support/eventually.js';
import { FaultyService } from '../support/faulty-service.js';
import { newClient } from '../support/people.js';
import { OWNER, query, type ServiceProcess, startService } from '../support/service.js';
import { FILES, sha256, type TestFile, uniqueJpeg, Uploader } from '../support/uploads.js';

const RENDITION = /\/renditions\//;

/** Keeps what is queued from now on, because jobs are deleted when they are done. */
const QUEUED_LOG = `
  CREATE TABLE queued (payload json);
  CREATE FUNCTION log_queued() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO queued SELECT NEW.payload FROM graphile_worker._private_tasks
        WHERE id = NEW.task_id AND identifier = 'make-renditions';
      RETURN NULL;
    END $$;
  CREATE TRIGGER log_queued AFTER INSERT ON graphile_worker._private_jobs FOR EACH ROW EXECUTE FUNCTION log_queued()`;

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

  it('wait while another upload is being verified', async () => {
    const second = await faulty.uploader.stage(uniqueJpeg());
    const [reading, release] = [new Signal(), new Signal()];
    const before = () => {
      reading.fire();
      return release.wait('the end of the test', 60_000).catch(() => undefined);
    };
    faulty.store.on({ method: 'GET', key: /\/assets\// }, { before });
    const finalizing = faulty.uploader.finalize(second);
    await reading.wait('the second upload');
    faulty.store.heal();
    const assetId = await upload(uniqueJpeg());
    // Four times as long as they wait otherwise.
    await delay(2_000);
    expect(await stored(assetId)).toEqual([]);
    release.fire();
    expect((await finalizing).status).toBe(201);
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

  it('are checked once, when they are due, and only queued if they are missing', async () => {
    const worker = await startService({ WORKER: 'inline' });
    try {
      const owner = await worker.api.signIn(OWNER);
      const uploader = Uploader.admin(owner, await newClient(owner));
      const ids = [];
      for (const _ of ['complete', 'missing', 'not due'])
        ids.push((await uploader.upload(uniqueJpeg())).assetId as string);
      const [complete, missing, notDue] = ids;
      const ready = (assetId: string | undefined) =>
        query(worker.databaseUrl, `SELECT 1 FROM renditions WHERE asset_id = $1 AND status = 'ready'`, [
          assetId,
        ]);
      for (const id of ids) await eventually(async () => expect(await ready(id)).toHaveLength(2));

      await query(
        worker.databaseUrl,
        `DELETE FROM renditions WHERE asset_id = ANY($1) AND name = 'thumb.webp'`,
        [[missing, notDue]],
      );
      await query(
        worker.databaseUrl,
        'UPDATE upload_sessions SET check_renditions_at = now() WHERE asset_id = ANY($1)',
        [[complete, missing]],
      );
      await query(worker.databaseUrl, QUEUED_LOG);
      await runJob(worker, 'check-renditions');
      await eventually(async () => expect(await ready(missing)).toHaveLength(2));
      const queued = await query<{ payload: { assetId: string } }>(
        worker.databaseUrl,
        'SELECT payload FROM queued',
      );
      expect(queued.map(({ payload }) => payload.assetId)).toEqual([missing]);
      expect(await ready(notDue)).toHaveLength(1);
      const open = await query<{ id: string }>(
        worker.databaseUrl,
        'SELECT asset_id AS id FROM upload_sessions WHERE check_renditions_at IS NOT NULL',
      );
      expect(open).toEqual([{ id: notDue }]);
    } finally {
      await worker.stop();
    }
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
    release.fire();
    expect(await stopped).toBe(0);
    expect(await stored(assetId)).toEqual(['small.webp', 'thumb.webp']);
    faulty.service = await faulty.service.restart();
  });
});
