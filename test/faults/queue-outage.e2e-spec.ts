import { setTimeout as delay } from 'node:timers/promises';
import { runJob } from '../support/background.js';
import { freePort, type Service, startService } from '../support/service.js';
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
