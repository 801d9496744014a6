import { drainQueue, runJob } from '../support/services/background.js';
import { Bucket } from '../support/store/bucket.js';
import { cli } from '../support/services/cli.js';
import { DeliveringClient, QUICK_DELIVERIES } from '../support/api/deliveries.js';
import { eventually } from '../support/eventually.js';
import { Api } from '../support/api/api.js';
import { readMetrics } from '../support/services/metrics.js';
import { newClient } from '../support/api/people.js';
import { expectProblem } from '../support/api/problems.js';
import { freePort, OWNER, type ServiceProcess, startProcess } from '../support/services/service.js';
import { uniqueJpeg, Uploader } from '../support/api/uploads.js';
import { WordPressMediaLibrary } from '../support/wordpress/wordpress-media.js';
import { startWorker, type Worker } from '../support/services/worker.js';

const TOKEN = 'a-token-for-prometheus';

describe('Metrics on a separate port', () => {
  let service: ServiceProcess;
  let worker: Worker;
  let uploader: Uploader;
  let ofService: Api;
  let ofWorker: Api;
  beforeAll(async () => {
    const [servicePort, workerPort] = [await freePort(), await freePort()];
    service = await startProcess({
      ...QUICK_DELIVERIES,
      WORKER: 'off',
      METRICS_PORT: String(servicePort),
      METRICS_TOKEN: TOKEN,
    });
    worker = await startWorker({ ...service.env, METRICS_PORT: String(workerPort) });
    ofService = new Api(`http://127.0.0.1:${servicePort}`).as(TOKEN);
    ofWorker = new Api(`http://127.0.0.1:${workerPort}`).as(TOKEN);
    const owner = await service.api.signIn(OWNER);
    uploader = Uploader.admin(owner, await newClient(owner));
  });
  afterAll(async () => {
    await Promise.all([service.stop(), worker.stop()]);
  });

  it('are served there, and no longer on the public port', async () => {
    const response = await ofService.get('/metrics');
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
    expect(response.body).toMatch(/^http_request_duration_seconds_count\{/m);
    expectProblem(await service.api.as(TOKEN).get('/metrics'), 404, 'route_not_found');
  });

  it('are all that is served there, and still require the token', async () => {
    for (const path of ['/', '/status', '/admin/clients', '/metrics/x'])
      expect((await ofService.get(path)).status).toBe(404);
    expect((await ofService.post('/metrics', {})).status).toBe(404);
    for (const token of ['', 'wrong', `${TOKEN}x`])
      for (const api of [ofService, ofWorker])
        expect(await api.as(token).get('/metrics')).toMatchObject({ status: 401, body: '' });
  });

  it('of a worker contain what only the worker does: jobs, renditions, the sweeper', async () => {
    await uploader.upload(uniqueJpeg());
    await eventually(async () => {
      expect((await readMetrics(ofWorker)).get('renditions_total{outcome="made"}')).toBeGreaterThan(0);
    });
    // The upload itself is deleted in the meantime.
    await drainQueue(service);
    const bucket = new Bucket(service);
    const seen = (await bucket.keys('clients/')).length;
    await runJob(service, 'reconcile');
    const metrics = await readMetrics(ofWorker);
    expect(metrics.get('jobs_total{job="reconcile",outcome="done"}')).toBe(1);
    expect(metrics.get('sweeper_objects{kind="seen"}')).toBe(seen);
    expect(metrics.get('sweeper_objects{kind="missing"}')).toBe(0);
    expect(metrics.get('database_pool_connections{state="total"}')).toBeGreaterThan(0);
    bucket.close();
  });

  it('of a worker count deliveries', async () => {
    const media = await WordPressMediaLibrary.start();
    try {
      const client = await DeliveringClient.create(service);
      const { deliveryId } = await client.deliver(await client.newTarget(media.site.target()));
      await client.waitFor(deliveryId, 'delivered');
      expect((await readMetrics(ofWorker)).get('deliveries_total{outcome="delivered"}')).toBe(1);
    } finally {
      await media.site.stop();
    }
  });

  it('do not interfere with commands with the same settings', async () => {
    expect(await cli(service.env, 'doctor')).toMatchObject({ code: 0 });
  });

  it('end with their process', async () => {
    const other = await service.restart({ PORT: undefined, METRICS_PORT: String(await freePort()) });
    const metrics = new Api(`http://127.0.0.1:${other.env['METRICS_PORT']}`).as(TOKEN);
    expect((await metrics.get('/metrics')).status).toBe(200);
    expect(await other.stop()).toBe(0);
    await expect(metrics.get('/metrics')).rejects.toThrow();
  });
});
