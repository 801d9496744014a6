import { setTimeout as delay } from 'node:timers/promises';
import { runJob } from '../support/background.js';
import { freePort, type Service, startService } from '../support/service.js';
import { type StatementMatch, StatementProxy } from '../support/statement-proxy.js';
import { type ProxyMode, TcpProxy } from '../support/tcp-proxy.js';

describe('Background work after the database was away', () => {
  let direct: Service;
  let proxy: TcpProxy;
  let service: Service;
  beforeAll(async () => {
    direct = await startService({ WORKER: 'off' });
    proxy = await TcpProxy.to(direct.databaseUrl);
    service = await direct.restart({
      PORT: String(await freePort()),
      WORKER: 'inline',
      DATABASE_URL: proxy.via(direct.databaseUrl),
    });
  });
  afterAll(async () => {
    await proxy.set('pass');
    await Promise.all([service.stop(), direct.stop()]);
    await proxy.close();
  });

  it.each<ProxyMode>(['cut', 'refuse'])('goes on by itself (%s)', async (mode) => {
    await runJob(direct, 'expire-sessions');
    await proxy.set(mode);
    // Longer than the queue looks for work: it meets the outage several times.
    await delay(4_000);
    await proxy.set('pass');
    await runJob(direct, 'expire-sessions');
    expect(service.process.exitCode).toBeNull();
  });
});

describe('Background work whose end cannot be written down', () => {
  let direct: Service;
  let database: StatementProxy;
  let service: Service;
  beforeAll(async () => {
    direct = await startService({ WORKER: 'off', SHUTDOWN_DRAIN_SECONDS: '0' });
    database = await StatementProxy.to(direct.databaseUrl);
    service = await direct.another({ WORKER: 'inline', DATABASE_URL: database.via(direct.databaseUrl) });
  });
  afterAll(async () => {
    database.heal();
    await Promise.all([service.stop(), direct.stop()]);
    await database.close();
  });

  it.each<[string, ...StatementMatch[]]>([
    ['done', { statement: /complete_job/ }],
    ['failed', { statement: /FROM upload_sessions\s+WHERE status/ }, { statement: /fail_job/ }],
  ])('is taken up again when it was %s, by the same process', async (_what, ...lost) => {
    for (const match of lost) database.on(match, 'cut');
    await runJob(direct, 'expire-sessions');
    expect(database.isHealed).toBe(true);
    expect(service.process.exitCode).toBeNull();
    expect((await service.api.get('/readyz')).status).toBe(200);
  });
});
