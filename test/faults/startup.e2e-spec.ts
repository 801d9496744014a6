import { setTimeout as delay } from 'node:timers/promises';
import type { Api } from '../support/api/api.js';
import { eventually } from '../support/eventually.js';
import { newClient } from '../support/api/people.js';
import { expectProblem } from '../support/api/problems.js';
import {
  freePort,
  launchProcess,
  newSettings,
  OWNER,
  query,
  type ServiceProcess,
  spawnService,
} from '../support/services/service.js';
import { TcpProxy } from '../support/faults/tcp-proxy.js';
import { FILES, uniqueJpeg, Uploader } from '../support/api/uploads.js';

const DATABASE_TIMEOUT_SECONDS = 2;

describe('Around outages of database and store', () => {
  /** By way of no proxy. */
  let databaseUrl: string;
  let database: TcpProxy;
  let store: TcpProxy;
  let service: ServiceProcess;
  let owner: Api;
  let uploader: Uploader;
  beforeAll(async () => {
    const settings = await newSettings();
    databaseUrl = settings.DATABASE_URL;
    database = await TcpProxy.to(databaseUrl);
    store = await TcpProxy.to(settings.STORAGE_ENDPOINT);
    service = await launchProcess({
      ...settings,
      WORKER: 'inline',
      DATABASE_URL: database.via(databaseUrl),
      DATABASE_TIMEOUT_SECONDS: String(DATABASE_TIMEOUT_SECONDS),
      STORAGE_ENDPOINT: store.via(settings.STORAGE_ENDPOINT),
      STORAGE_PUBLIC_ENDPOINT: settings.STORAGE_ENDPOINT,
    });
    owner = await service.api.signIn(OWNER);
    uploader = Uploader.admin(owner, await newClient(owner));
  });
  afterEach(() => Promise.all([database.set('pass'), store.set('pass')]));
  afterAll(async () => {
    await service.stop();
    await Promise.all([database.close(), store.close()]);
  });

  /** A job that leaves a trace, to distinguish jobs that ran from lost ones. */
  const enqueue = async () => {
    const [job] = await query<{ id: string }>(
      databaseUrl,
      "SELECT id FROM graphile_worker.add_job('expire-sessions')",
    );
    return job!.id;
  };
  const expectDone = (id: string, withinMs = 30_000) =>
    eventually(async () => {
      const rows = await query(databaseUrl, 'SELECT 1 FROM graphile_worker.jobs WHERE id = $1', [id]);
      expect(rows).toEqual([]);
    }, withinMs);

  it('the service starts while Postgres is still coming up', async () => {
    const late = await TcpProxy.to(databaseUrl);
    await late.set('refuse');
    const port = await freePort();
    const starting = spawnService({
      ...service.env,
      PORT: String(port),
      DATABASE_URL: late.via(databaseUrl),
    });
    await eventually(() => expect(starting.output()).toContain('cannot connect to the database'));
    // Running, but disconnects every client.
    await late.set('cut');
    await delay(1_500);
    await late.set('pass');
    await starting.listening;
    expect((await service.api.at(`http://127.0.0.1:${port}`).get('/readyz')).status).toBe(200);
    starting.process.kill('SIGKILL');
    await late.close();
  });

  it('a wrong password is reported immediately, without retrying', async () => {
    const url = new URL(databaseUrl);
    url.username = 'nobody';
    const starting = spawnService({ ...service.env, DATABASE_URL: url.toString() });
    await expect(starting.listening).rejects.toThrow(/ended with 1/);
    expect(starting.output()).not.toContain('retrying');
  });

  it('a hanging database leads to 503 within a limit, and works again afterwards', async () => {
    expect((await owner.get('/auth/me')).status).toBe(200);
    await database.set('hang');
    const startedAt = Date.now();
    // More than there are connections.
    const responses = await Promise.all(Array.from({ length: 30 }, () => owner.get('/admin/clients')));
    for (const response of responses) {
      expectProblem(response, 503, 'database_unavailable');
      expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
    }
    // Each waits for its connection, then for its response.
    expect(Date.now() - startedAt).toBeLessThan((2 * (DATABASE_TIMEOUT_SECONDS + 2) + 5 + 3) * 1_000);

    const askedAt = Date.now();
    expectProblem(await service.api.get('/readyz'), 503, 'database_unavailable');
    expect((await service.api.get('/status')).body).toMatchObject({ checks: { database: 'unreachable' } });
    expect((await service.api.get('/healthz')).status).toBe(200);
    expect(Date.now() - askedAt).toBeLessThan(9_000);

    await database.set('pass');
    await eventually(async () => expect((await owner.get('/admin/clients')).status).toBe(200));
    await eventually(async () => expect((await service.api.get('/readyz')).status).toBe(200));
    await expectDone(await enqueue());
  });

  it('background jobs continue after their connections were terminated', async () => {
    await expectDone(await enqueue());
    for (let round = 0; round < 3; round++) {
      const terminated = await query(
        databaseUrl,
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
          WHERE datname = current_database() AND application_name = 'client-asset-library queue'`,
      );
      if (round === 0) expect(terminated.length).toBeGreaterThan(0);
      await expectDone(await enqueue());
    }
  });

  it('background jobs continue after the database was unavailable', async () => {
    await database.set('refuse');
    const job = await enqueue();
    await eventually(() => expect(service.output()).toContain('restarting job queue after a delay'));
    await delay(2_000);
    await database.set('pass');
    await expectDone(job);
  });

  it('jobs of a killed worker are run by another within minutes', async () => {
    const [job] = await query<{ id: string }>(
      databaseUrl,
      "SELECT id FROM graphile_worker.add_job('expire-sessions', run_at => now() + interval '1 day')",
    );
    const lockedBy = (worker: string, age: string) =>
      query(
        databaseUrl,
        `UPDATE graphile_worker._private_jobs SET run_at = now(), locked_by = $2, locked_at = now() - $3::interval WHERE id = $1`,
        [job!.id, worker, age],
      );
    const returnJobs = async () => {
      const [run] = await query<{ id: string }>(
        databaseUrl,
        "SELECT id FROM graphile_worker.add_job('return-abandoned-jobs')",
      );
      await expectDone(run!.id);
    };
    await lockedBy('pool-dead', '10 seconds');
    await returnJobs();
    const held = await query(databaseUrl, 'SELECT 1 FROM graphile_worker.jobs WHERE id = $1', [job!.id]);
    expect(held).toHaveLength(1);
    await lockedBy('pool-dead', '2 minutes');
    await returnJobs();
    await expectDone(job!.id);
  });

  it('a worker that was killed while returning jobs does not block others', async () => {
    const id = async (call: string) => {
      const [job] = await query<{ id: string }>(databaseUrl, `SELECT id FROM graphile_worker.${call}`);
      return job!.id;
    };
    const abandoned = await id("add_job('expire-sessions', run_at => now() + interval '1 day')");
    const giving = await id(
      `add_job('return-abandoned-jobs', run_at => now() + interval '1 day',
               job_key => 'cron:return-abandoned-jobs', queue_name => 'return-abandoned-jobs')`,
    );
    for (const [table, column, value] of [
      ['_private_job_queues', 'queue_name', 'return-abandoned-jobs'],
      ['_private_jobs', 'id', giving],
      ['_private_jobs', 'id', abandoned],
    ] as const)
      await query(
        databaseUrl,
        `UPDATE graphile_worker.${table} SET locked_by = 'pool-dead', locked_at = now() - interval '2 minutes' WHERE ${column} = $1`,
        [value],
      );
    await query(databaseUrl, 'UPDATE graphile_worker._private_jobs SET run_at = now() WHERE id = $1', [
      abandoned,
    ]);
    // At the next full minute.
    await expectDone(abandoned, 90_000);
  }, 100_000);

  it('without the store, what needs it returns 503 with Retry-After; the rest works, and later all of it', async () => {
    const { assetId } = await uploader.upload(uniqueJpeg());
    const staged = await uploader.stage(FILES.jpeg);
    await store.set('refuse');
    for (const response of [
      await uploader.finalize(staged),
      await owner.get(`${uploader.base}/${assetId}/download`),
    ]) {
      expectProblem(response, 503, 'storage_unavailable');
      expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
    }
    expect((await owner.get(uploader.base)).status).toBe(200);
    expect((await service.api.get('/readyz')).status).toBe(200);

    await store.set('pass');
    await eventually(async () => expect((await uploader.download(assetId as string)).status).toBe(200));
    expect((await uploader.finalize(staged)).status).toBe(201);
  });
});
