import { setTimeout as delay } from 'node:timers/promises';
import type { ApiResponse } from '../support/api/api.js';
import { expectProblem } from '../support/api/problems.js';
import { launch, newSettings, OWNER, type Service } from '../support/services/service.js';
import { type ProxyMode, TcpProxy } from '../support/faults/tcp-proxy.js';

describe('When the database is unavailable', () => {
  let proxy: TcpProxy;
  let service: Service;
  beforeAll(async () => {
    const settings = await newSettings();
    proxy = await TcpProxy.to(settings.DATABASE_URL);
    service = await launch({ ...settings, DATABASE_URL: proxy.via(settings.DATABASE_URL) });
  });
  afterEach(() => proxy.set('pass'));
  afterAll(async () => {
    await service.stop();
    await proxy.close();
  });

  const until = async (ask: () => Promise<ApiResponse>, status: number) => {
    let response = await ask();
    for (const end = Date.now() + 15_000; response.status !== status && Date.now() < end; await delay(100)) {
      response = await ask();
    }
    return response;
  };

  it.each<ProxyMode>(['refuse', 'cut'])(
    'requests get 503 with Retry-After, and work again later (%s)',
    async (mode) => {
      const owner = await service.api.signIn(OWNER);
      expect((await owner.get('/admin/clients')).status).toBe(200);

      await proxy.set(mode);
      for (const response of [
        await owner.get('/auth/me'),
        await owner.post('/admin/clients', { name: 'Lost' }),
        await service.api.post('/auth/login', OWNER),
        await service.api.get('/readyz'),
      ]) {
        expectProblem(response, 503, 'database_unavailable');
        expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
        expect(JSON.stringify(response.body)).not.toMatch(/ECONN|127\.0\.0\.1|postgres/i);
      }
      expect((await service.api.get('/healthz')).status).toBe(200);
      const status = await until(async () => {
        const response = await service.api.get('/status');
        return { ...response, status: response.body.checks.database === 'unreachable' ? 200 : 0 };
      }, 200);
      expect(status.body).toMatchObject({ status: 'degraded', checks: { database: 'unreachable' } });

      await proxy.set('pass');
      expect((await until(() => owner.get('/auth/me'), 200)).body).toMatchObject({ email: OWNER.email });
      expect((await until(() => service.api.get('/readyz'), 200)).status).toBe(200);
      expect((await owner.post('/admin/clients', { name: 'Found' })).status).toBe(201);
    },
  );

  it('nothing of a rejected change is stored', async () => {
    const owner = await service.api.signIn(OWNER);
    await proxy.set('cut');
    expectProblem(
      await owner.post('/admin/clients', { clientId: 'half', name: 'Half' }),
      503,
      'database_unavailable',
    );
    await proxy.set('pass');
    const response = await until(
      () => owner.post('/admin/clients', { clientId: 'half', name: 'Whole' }),
      201,
    );
    expect(response.body).toMatchObject({ clientId: 'half', name: 'Whole' });
  });
});
