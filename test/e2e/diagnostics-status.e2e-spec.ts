import { DeleteBucketCommand } from '@aws-sdk/client-s3';
import { eventually } from '../support/eventually.js';
import { FaultProxy } from '../support/faults/fault-proxy.js';
import { expectProblem } from '../support/api/problems.js';
import {
  launch,
  newSettings,
  query,
  type Service,
  startService,
  storeClient,
} from '../support/services/service.js';
import { TcpProxy } from '../support/faults/tcp-proxy.js';

describe('/status', () => {
  let service: Service;
  let store: TcpProxy;
  let storeCalls: FaultProxy;
  beforeAll(async () => {
    const settings = await newSettings();
    storeCalls = await FaultProxy.to(settings.STORAGE_ENDPOINT);
    store = await TcpProxy.to(storeCalls.endpoint);
    service = await launch({
      ...settings,
      WORKER: 'inline',
      STORAGE_ENDPOINT: store.via(storeCalls.endpoint),
    });
  });
  afterAll(async () => {
    await service.stop();
    await store.close();
    await storeCalls.close();
  });
  const status = async (at = service) => (await at.api.get('/status')).body;

  it('reports that everything works without authentication, and reveals no secrets', async () => {
    const response = await service.api.get('/status');
    expect(response.status).toBe(200);
    expect(response.body).toEqual({
      status: 'ok',
      version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
      uptimeSeconds: expect.any(Number),
      checks: { database: 'ok', storage: 'ok', control: 'ok', queue: 'ok', temp: 'ok' },
    });
    const { DATABASE_URL, AUTH_JWT_SECRET, SECRETS_KEY, STORAGE_SECRET_ACCESS_KEY, STORAGE_BUCKET_NAME } =
      service.env;
    for (const secret of [
      DATABASE_URL,
      AUTH_JWT_SECRET,
      SECRETS_KEY,
      STORAGE_SECRET_ACCESS_KEY,
      STORAGE_BUCKET_NAME,
    ])
      expect(JSON.stringify(response.body) + JSON.stringify([...response.headers])).not.toContain(secret!);
    expect(response.headers.get('cache-control')).toBe('private, no-store');
  });

  it('checks database and store at most once a second, whatever the number of callers', async () => {
    const asked = () =>
      storeCalls.requests.filter(({ method, key }) => method === 'HEAD' && key === '').length;
    await status();
    const before = asked();
    expect(before).toBeGreaterThan(0);
    const startedAt = Date.now();
    await Promise.all(Array.from({ length: 100 }, () => status()));
    const seconds = (Date.now() - startedAt) / 1000;
    expect(asked() - before).toBeLessThanOrEqual(1 + Math.floor(seconds));
  });

  it('notices when a store disappears and returns', async () => {
    await store.set('refuse');
    await eventually(async () => {
      expect(await status()).toMatchObject({ status: 'degraded', checks: { storage: 'unreachable' } });
    });
    expect((await service.api.get('/readyz')).status).toBe(200);
    await store.set('pass');
    await eventually(async () => expect(await status()).toMatchObject({ status: 'ok' }));
  });

  it('reports due jobs that no worker runs', async () => {
    const idle = await service.another({ WORKER: 'off' });
    const add = (runAt: string) =>
      query(service.databaseUrl, `SELECT graphile_worker.add_job('nobody-does-this', run_at => ${runAt})`);
    await add("now() - interval '4 minutes'");
    expect(await status(idle)).toMatchObject({ checks: { queue: 'ok' } });
    await add("now() - interval '6 minutes'");
    await eventually(async () => {
      expect(await status(idle)).toMatchObject({ status: 'degraded', checks: { queue: 'delayed' } });
    });
    await query(service.databaseUrl, 'DELETE FROM graphile_worker._private_jobs');
    await eventually(async () => expect(await status(idle)).toMatchObject({ checks: { queue: 'ok' } }));
    await idle.stop();
  });

  it.each([
    ['not_configured', { STORAGE_BUCKET_NAME: undefined }],
    ['forbidden', { STORAGE_SECRET_ACCESS_KEY: 'not-the-secret-not-the-secret' }],
    ['forbidden', { STORAGE_ACCESS_KEY_ID: 'not-the-key' }],
  ])('reports storage that is %s', async (state, overrides) => {
    const other = await service.another({ WORKER: 'off', ...overrides });
    expect(await status(other)).toMatchObject({ status: 'degraded', checks: { storage: state } });
    await other.stop();
  });

  it('is limited per address, and then tells the caller when to retry', async () => {
    const other = await service.another({ WORKER: 'off', TRUST_PROXY: 'true' });
    const ask = (address: string) => other.api.get('/status', { 'x-forwarded-for': address });
    const responses = await Promise.all(Array.from({ length: 310 }, () => ask('203.0.113.1')));
    expect(responses.filter((response) => response.status === 200)).toHaveLength(300);
    const refused = responses.find((response) => response.status !== 200)!;
    expectProblem(refused, 429, 'too_many_requests');
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await ask('203.0.113.2')).status).toBe(200);
    await other.stop();
  });

  it('reports a missing bucket', async () => {
    const other = await startService();
    const client = storeClient();
    await client.send(new DeleteBucketCommand({ Bucket: other.bucket }));
    client.destroy();
    await eventually(async () => expect(await status(other)).toMatchObject({ status: 'degraded' }));
    await other.stop();
  });
});
