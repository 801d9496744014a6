import { setTimeout as delay } from 'node:timers/promises';
import { runJob } from '../support/background.js';
import { launchProcess, newSettings, type ServiceProcess } from '../support/service.js';
import { type StatementMatch, StatementProxy } from '../support/statement-proxy.js';
import { type ProxyMode, TcpProxy } from '../support/tcp-proxy.js';

describe('Background jobs after the database was unavailable', () => {
  let databaseUrl: string;
  let proxy: TcpProxy;
  let service: ServiceProcess;
  beforeAll(async () => {
    const settings = await newSettings();
    databaseUrl = settings.DATABASE_URL;
    proxy = await TcpProxy.to(databaseUrl);
    service = await launchProcess({ ...settings, DATABASE_URL: proxy.via(databaseUrl) });
  });
  afterAll(async () => {
    await proxy.set('pass');
    await service.stop();
    await proxy.close();
  });

  it.each<ProxyMode>(['cut', 'refuse'])('continue automatically (%s)', async (mode) => {
    await runJob({ databaseUrl }, 'expire-sessions');
    await proxy.set(mode);
    // Longer than the queue looks for work: it meets the outage several times.
    await delay(4_000);
    await proxy.set('pass');
    await runJob({ databaseUrl }, 'expire-sessions');
    expect(service.process.exitCode).toBeNull();
  });
});

describe('A background job whose result cannot be recorded', () => {
  let databaseUrl: string;
  let database: StatementProxy;
  let service: ServiceProcess;
  beforeAll(async () => {
    const settings = await newSettings();
    databaseUrl = settings.DATABASE_URL;
    database = await StatementProxy.to(databaseUrl);
    service = await launchProcess({ ...settings, DATABASE_URL: database.via(databaseUrl) });
  });
  afterAll(async () => {
    database.heal();
    await service.stop();
    await database.close();
  });

  it.each<[string, ...StatementMatch[]]>([
    ['done', { statement: /complete_job/ }],
    ['failed', { statement: /FROM upload_sessions\s+WHERE status/ }, { statement: /fail_job/ }],
  ])('is retried by the same process when it was %s', async (_what, ...lost) => {
    for (const match of lost) database.on(match, 'cut');
    await runJob({ databaseUrl }, 'expire-sessions');
    expect(database.isHealed).toBe(true);
    expect(service.process.exitCode).toBeNull();
    expect((await service.api.get('/readyz')).status).toBe(200);
  });
});
