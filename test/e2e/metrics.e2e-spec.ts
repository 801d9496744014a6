import { Bucket } from '../support/store/bucket.js';
import { eventually } from '../support/eventually.js';
import { readMetrics } from '../support/services/metrics.js';
import { newClient } from '../support/api/people.js';
import { expectProblem } from '../support/api/problems.js';
import { freePort, OWNER, query, type ServiceProcess, startProcess } from '../support/services/service.js';
import { TcpProxy } from '../support/faults/tcp-proxy.js';
import { FILES, uniqueJpeg, Uploader } from '../support/api/uploads.js';

const TOKEN = 'a-token-for-prometheus';

describe('/metrics', () => {
  let service: ServiceProcess;
  let uploader: Uploader;
  let clientId: string;
  beforeAll(async () => {
    service = await startProcess();
    const owner = await service.api.signIn(OWNER);
    clientId = await newClient(owner);
    uploader = Uploader.admin(owner, clientId);
  });
  afterAll(() => service.stop());

  const metrics = () => readMetrics(service.api);
  const grown = async (work: () => Promise<unknown>) => {
    const before = await metrics();
    await work();
    const after = await metrics();
    return (name: string) => (after.get(name) ?? 0) - (before.get(name) ?? 0);
  };

  it('can be parsed by Prometheus', async () => {
    const response = await service.api.get('/metrics');
    expect(response.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
    expect(response.body).toMatch(/^# HELP http_request_duration_seconds /m);
    expect(response.body).toMatch(/^# TYPE http_request_duration_seconds histogram$/m);
    expect(response.body).toMatch(/^process_cpu_user_seconds_total /m);
  });

  it('counts requests by route template, never by its parameters', async () => {
    const assets = await Promise.all([1, 2, 3].map(() => uploader.upload(uniqueJpeg())));
    const growth = await grown(async () => {
      for (const { assetId } of assets) await uploader.api.get(`${uploader.base}/${assetId}`);
      await service.api.get('/no/such/route/4711');
      await service.api.get('/lp-api/secret-slug?utm_source=secret-source');
    });
    const count = (route: string, status: number) =>
      growth(`http_request_duration_seconds_count{method="GET",route="${route}",status="${status}"}`);
    expect(count('/admin/clients/:clientId/assets/:assetId', 200)).toBe(3);
    expect(count('/lp-api/:slug', 404)).toBe(1);
    expect(count('/{*path}', 404)).toBe(1);

    const text = [...(await metrics()).keys()].join('\n');
    for (const { assetId } of assets) expect(text).not.toContain(assetId);
    expect(text).not.toMatch(/4711|secret-slug|secret-source/);
    expect(text).not.toContain(clientId);
  });

  it('counts finalizes by outcome', async () => {
    const wrong = await uploader.stage({ ...FILES.png, mimeType: 'image/jpeg' });
    const growth = await grown(async () => {
      await uploader.upload(uniqueJpeg());
      await uploader.finalize(wrong);
      await uploader.finalize(await uploader.open(FILES.jpeg));
    });
    expect(growth('finalizes_total{outcome="created"}')).toBe(1);
    expect(growth('finalizes_total{outcome="content_mismatch"}')).toBe(1);
    expect(growth('finalizes_total{outcome="upload_incomplete"}')).toBe(1);
  });

  it('counts renditions that are made, once', async () => {
    const { assetId } = await uploader.upload(uniqueJpeg());
    const growth = await grown(async () => {
      for (let round = 0; round < 2; round++)
        expect(
          (await uploader.api.fetch('GET', `${uploader.base}/${assetId}/preview?size=thumb`)).status,
        ).toBe(200);
    });
    // `thumb` and `small` together.
    expect(growth('renditions_total{outcome="made"}')).toBe(2);
  });

  it('counts a rendition that cannot be made as failed', async () => {
    const { assetId } = await uploader.upload(uniqueJpeg());
    const [asset] = await query<{ key: string; size: string }>(
      service.databaseUrl,
      `SELECT 'clients/' || client_id || '/assets/' || id || '/' || attempt AS key, size_bytes AS size FROM assets WHERE id = $1`,
      [assetId],
    );
    // Like a disk with damaged sectors.
    const bucket = new Bucket(service);
    await bucket.write(asset!.key, Buffer.alloc(Number(asset!.size), 7));
    bucket.close();
    const growth = await grown(async () => {
      const path = `${uploader.base}/${assetId}/preview?size=thumb`;
      expect((await uploader.api.fetch('GET', path)).status).toBe(422);
    });
    expect(growth('renditions_total{outcome="failed"}')).toBe(2);
    expect(growth('renditions_total{outcome="made"}')).toBe(0);
  });

  it('counts calls that reach the store, by operation and outcome, but not signing a URL', async () => {
    const opened = await grown(() => uploader.open(FILES.jpeg));
    expect(opened('store_calls_total{operation="PutObject",outcome="ok"}')).toBe(0);
    const { assetId } = await uploader.upload(uniqueJpeg());
    const read = await grown(() => uploader.download(assetId as string));
    expect(read('store_calls_total{operation="GetObject",outcome="ok"}')).toBe(1);

    const session = await uploader.open(FILES.jpeg);
    const missing = await grown(() => uploader.finalize(session));
    expect(missing('store_calls_total{operation="CopyObject",outcome="404"}')).toBe(1);
  });

  it('counts calls to an unavailable store as failed', async () => {
    const lost = await service.restart({
      PORT: undefined,
      STORAGE_ENDPOINT: `http://127.0.0.1:${await freePort()}`,
    });
    await lost.api.get('/status');
    expect(
      (await readMetrics(lost.api)).get('store_calls_total{operation="HeadBucket",outcome="unreachable"}'),
    ).toBeGreaterThan(0);
    await lost.stop();
  });

  it("shows the pool's connections, the number of waiting jobs and the age of the oldest", async () => {
    await query(service.databaseUrl, 'DELETE FROM graphile_worker._private_jobs');
    const idle = await metrics();
    expect(idle.get('database_pool_connections{state="total"}')).toBeGreaterThan(0);
    expect(idle.get('database_pool_connections{state="waiting"}')).toBe(0);
    expect(idle.get('queue_jobs')).toBe(0);
    expect(idle.get('queue_oldest_job_seconds')).toBe(0);

    const add = (runAt: string) =>
      query(service.databaseUrl, `SELECT graphile_worker.add_job('nobody-does-this', run_at => ${runAt})`);
    await add("now() - interval '100 seconds'");
    await add("now() + interval '1 hour'");
    const waiting = await metrics();
    expect(waiting.get('queue_jobs')).toBe(2);
    expect(waiting.get('queue_oldest_job_seconds')).toBeGreaterThanOrEqual(100);
    expect(waiting.get('queue_oldest_job_seconds')).toBeLessThan(200);
  });

  it('responds quickly even when the database does not respond, without the queue metrics', async () => {
    const database = await TcpProxy.to(service.databaseUrl);
    const cutOff = await service.restart({
      PORT: undefined,
      DATABASE_URL: database.via(service.databaseUrl),
    });
    try {
      await database.set('hang');
      const startedAt = Date.now();
      const series = await readMetrics(cutOff.api);
      expect(Date.now() - startedAt).toBeLessThan(8_000);
      expect(series.get('queue_jobs')).toBeNaN();
      expect(series.get('database_pool_connections{state="total"}')).toBeGreaterThan(0);
      await database.set('pass');
      await eventually(async () => expect((await readMetrics(cutOff.api)).get('queue_jobs')).not.toBeNaN());
    } finally {
      await cutOff.kill();
      await database.close();
    }
  });

  it('counts background jobs by outcome', async () => {
    const working = await service.restart({ PORT: undefined, WORKER: 'inline' });
    await query(service.databaseUrl, "SELECT graphile_worker.add_job('expire-sessions')");
    await eventually(async () => {
      expect(
        (await readMetrics(working.api)).get('jobs_total{job="expire-sessions",outcome="done"}'),
      ).toBeGreaterThan(0);
    });
    await working.stop();
  });

  it('requires a token when one is set', async () => {
    const guarded = await service.restart({ PORT: undefined, METRICS_TOKEN: TOKEN });
    const ask = (authorization?: string) =>
      guarded.api.get('/metrics', authorization === undefined ? {} : { authorization });
    for (const wrong of [
      undefined,
      '',
      `Bearer ${TOKEN}x`,
      `Bearer ${TOKEN.slice(1)}`,
      `Basic ${TOKEN}`,
      TOKEN,
    ])
      expectProblem(await ask(wrong), 401, 'unauthenticated');
    expect((await ask(`Bearer ${TOKEN}`)).status).toBe(200);
    await guarded.stop();
  });
});
