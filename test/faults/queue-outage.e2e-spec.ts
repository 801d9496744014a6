import { setTimeout as delay } from 'node:timers/promises';
import { runJob } from '../support/services/background.js';
import { eventually } from '../support/eventually.js';
import { launchProcess, newSettings, query, type ServiceProcess } from '../support/services/service.js';
import { type StatementMatch, StatementProxy } from '../support/faults/statement-proxy.js';
import { type ProxyMode, TcpProxy } from '../support/faults/tcp-proxy.js';

describe('Background jobs after the database was unavailable', () => {
  let databaseUrl: string;
  let proxy: TcpProxy;
  let service: ServiceProcess;
  beforeAll(async () => {
    const settings = await newSettings();
    databaseUrl = settings.DATABASE_URL;
    proxy = await TcpProxy.to(databaseUrl);
    service = await launchProcess({ ...settings, WORKER: 'inline', DATABASE_URL: proxy.via(databaseUrl) });
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
    service = await launchProcess({ ...settings, WORKER: 'inline', DATABASE_URL: database.via(databaseUrl) });
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

describe('A queue that loses its connections one after the other while it starts', () => {
  it('starts again in the same process', async () => {
    const settings = await newSettings();
    const databaseUrl = settings.DATABASE_URL;
    const database = await StatementProxy.to(databaseUrl);
    const connections = (what: string, condition: string) =>
      query(
        databaseUrl,
        `SELECT ${what} FROM pg_stat_activity
          WHERE datname = current_database() AND application_name LIKE '% queue' AND ${condition}`,
      );
    const terminate = (condition: string) => connections('pg_terminate_backend(pid)', condition);
    const isHeartbeat = `pid IN (SELECT pid FROM pg_locks WHERE locktype = 'advisory')`;
    /** The connections that it listens on are the last ones: by then, the queue is already stopping. */
    const loseHeartbeatsFirst = async () => {
      await eventually(async () => expect(await connections('pid', isHeartbeat)).toHaveLength(1));
      await terminate(isHeartbeat);
      await delay(500);
      await terminate('true');
    };
    let lost: Promise<void> | undefined;
    database.on({ statement: /LISTEN "jobs:insert"/ }, { before: () => (lost = loseHeartbeatsFirst()) });
    const service = await launchProcess({
      ...settings,
      WORKER: 'inline',
      DATABASE_URL: database.via(databaseUrl),
    });
    await eventually(() => expect(database.isHealed).toBe(true));
    await lost;
    await runJob({ databaseUrl }, 'expire-sessions');
    expect(service.process.exitCode).toBeNull();
    expect((await service.api.get('/readyz')).status).toBe(200);
    await service.stop();
    await database.close();
  });
});
