import { once } from 'node:events';
import { Agent, request as httpRequest } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { drainQueue } from '../support/services/background.js';
import { eventually } from '../support/eventually.js';
import { FaultProxy } from '../support/faults/fault-proxy.js';
import { newClient } from '../support/api/people.js';
import { expectProblem } from '../support/api/problems.js';
import {
  freePort,
  launchProcess,
  newSettings,
  OWNER,
  query,
  type ServiceProcess,
  type Settings,
  spawnService,
} from '../support/services/service.js';
import { FILES, type OpenedSession, sha256, uniqueJpeg, Uploader } from '../support/api/uploads.js';
import { TcpProxy } from '../support/faults/tcp-proxy.js';
import { startWorker } from '../support/services/worker.js';

/** For each kind: uploads, previews, zips. */
const RUNNING = Math.ceil(Number(process.env['SHUTDOWN_REQUESTS'] ?? 12) / 3);
const STOP_WITHIN_MS = 30_000;

describe('SIGTERM', () => {
  let settings: Settings;
  let databaseUrl: string;
  let store: FaultProxy;
  beforeAll(async () => {
    settings = await newSettings();
    databaseUrl = settings.DATABASE_URL;
    store = await FaultProxy.to(settings.STORAGE_ENDPOINT);
  });
  afterEach(() => store.heal());
  afterAll(() => store.close());

  /** On a store that can be slowed down; browsers reach it directly. */
  const start = async (overrides: Record<string, string> = {}) => {
    const service = await launchProcess({
      ...settings,
      SHUTDOWN_DRAIN_SECONDS: '1',
      STORAGE_ENDPOINT: store.endpoint,
      STORAGE_PUBLIC_ENDPOINT: settings.STORAGE_ENDPOINT,
      ...overrides,
    });
    const owner = await service.api.signIn(OWNER);
    return { service, uploader: Uploader.admin(owner, await newClient(owner)) };
  };

  /** The exit code, and how long the process took to exit. */
  const terminate = async ({ process: child }: ServiceProcess) => {
    const startedAt = Date.now();
    const ended = once(child, 'exit') as Promise<[number | null, string | null]>;
    child.kill('SIGTERM');
    const [code] = await ended;
    return { code, ms: Date.now() - startedAt };
  };

  /** The store delays its responses, so that requests are still running when the signal arrives. */
  const slowDown = (ms: number) => {
    const reading = { count: 0 };
    store.on(
      { method: 'GET', key: /\/assets\// },
      {
        before: () => {
          reading.count++;
          return delay(ms);
        },
      },
    );
    return reading;
  };

  it('immediately makes it not ready, while running requests still complete', async () => {
    const { service, uploader } = await start();
    const file = uniqueJpeg();
    const { assetId } = await uploader.upload(file);
    const reading = slowDown(1_500);
    const download = uploader.download(assetId as string);
    await eventually(() => expect(reading.count).toBe(1));

    const ended = terminate(service);
    await delay(50);
    const notReady = await service.api.get('/readyz');
    expectProblem(notReady, 503, 'shutting_down');
    expect(Number(notReady.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(notReady.headers.get('connection')).toBe('close');
    // Callers that have not noticed yet are still served.
    expect((await uploader.api.get(uploader.base)).status).toBe(200);
    expect(sha256((await download).bytes)).toBe(sha256(file.bytes));
    expect((await ended).code).toBe(0);
  });

  it(`lets ${RUNNING} uploads, previews and zips complete`, async () => {
    const { service, uploader } = await start();
    const { body: folder } = await uploader.api.post(`${uploader.base}/folders`, { name: 'Zipped' });
    const files = await Promise.all(
      Array.from({ length: RUNNING }, async () => {
        const file = uniqueJpeg();
        const { assetId } = await uploader.upload(file, { folderId: folder.folderId });
        return { file, assetId: assetId as string };
      }),
    );
    const staged: OpenedSession[] = [];
    for (let n = 0; n < RUNNING; n++) staged.push(await uploader.stage(uniqueJpeg()));

    const reading = slowDown(1_200);
    const fetchBytes = async (path: string) => {
      const response = await uploader.api.fetch('GET', uploader.base + path);
      return { status: response.status, bytes: Buffer.from(await response.arrayBuffer()), response };
    };
    const finalizes = staged.map((session) => uploader.finalize(session));
    const previews = files.map(({ assetId }) => fetchBytes(`/${assetId}/preview`));
    const zips = files.map(() => fetchBytes(`/folders/download?folderId=${folder.folderId}`));
    await eventually(() => expect(reading.count).toBeGreaterThan(RUNNING));
    const { code, ms } = await terminate(service);
    expect({ code, stoppedInTime: ms < STOP_WITHIN_MS }).toEqual({ code: 0, stoppedInTime: true });

    for (const response of await Promise.all(finalizes)) {
      expect(response.status).toBe(201);
    }
    for (const [index, { status, bytes }] of (await Promise.all(previews)).entries()) {
      expect(status).toBe(200);
      expect(bytes.equals(files[index]!.file.bytes)).toBe(true);
    }
    for (const { status, bytes, response } of await Promise.all(zips)) {
      // A client can have a few archives in parallel; the others are rejected.
      expect([200, 429]).toContain(status);
      if (status === 200) expect(bytes.length).toBe(Number(response.headers.get('content-length')));
    }
    const [row] = await query<{ count: string }>(
      databaseUrl,
      "SELECT count(*) FROM upload_sessions WHERE status = 'finalizing'",
    );
    expect(Number(row!.count)).toBe(0);
  });

  it('lets a finalize in the background complete', async () => {
    const { service, uploader } = await start({ UPLOAD_ANSWER_SECONDS: '1', SHUTDOWN_DRAIN_SECONDS: '0' });
    const session = await uploader.stage(uniqueJpeg());
    slowDown(3_000);
    expectProblem(await uploader.finalize(session), 409, 'finalize_in_progress');
    expect((await terminate(service)).code).toBe(0);
    const [row] = await query<{ status: string }>(
      databaseUrl,
      'SELECT status FROM upload_sessions WHERE id = $1',
      [session.sessionId],
    );
    expect(row).toEqual({ status: 'finalized' });
  });

  it('loses no request of clients that react to it', async () => {
    const { service, uploader } = await start();
    const other = await service.restart({ PORT: undefined });
    const token = (await uploader.api.post('/auth/login', OWNER)).body.accessToken as string;
    const agents = new Map([service, other].map(({ port }) => [port, new Agent({ keepAlive: true })]));
    let port = service.port;
    let stop = false;
    const statuses: number[] = [];
    /** Like a proxy: keeps its connections, closes those it is told to close, and leaves a process that is not ready. */
    const ask = (path: string) =>
      new Promise<{ status: number; closes: boolean }>((resolve, reject) => {
        const request = httpRequest({
          port,
          path,
          agent: agents.get(port),
          headers: { authorization: `Bearer ${token}` },
        });
        request.on('error', reject);
        request.on('response', (response) => {
          response.resume();
          response.on('end', () =>
            resolve({ status: response.statusCode!, closes: response.headers.connection === 'close' }),
          );
        });
        request.end();
      });
    const watch = async () => {
      while (!stop) {
        if ((await ask('/readyz')).status !== 200) port = other.port;
        await delay(100);
      }
    };
    const load = async () => {
      while (!stop) statuses.push((await ask(uploader.base)).status);
    };
    const clients = [watch(), ...Array.from({ length: 6 }, load)];
    await eventually(() => expect(statuses.length).toBeGreaterThan(50));
    const { code } = await terminate(service);
    expect(code).toBe(0);
    const soFar = statuses.length;
    await eventually(() => expect(statuses.length).toBeGreaterThan(soFar + 20));
    stop = true;
    await Promise.all(clients);
    expect(new Set(statuses)).toEqual(new Set([200]));
    for (const agent of agents.values()) agent.destroy();
    await other.stop();
  });

  it('a second and a third signal change nothing', async () => {
    const { service, uploader } = await start();
    const { assetId } = await uploader.upload(FILES.jpeg);
    const reading = slowDown(2_500);
    const download = uploader.download(assetId as string);
    await eventually(() => expect(reading.count).toBe(1));
    const ended = terminate(service);
    await delay(300);
    service.process.kill('SIGTERM');
    service.process.kill('SIGINT');
    expect((await download).status).toBe(200);
    expect((await ended).code).toBe(0);
  });

  it('immediately ends a process that is still starting', async () => {
    const DATABASE_URL = `postgres://nobody@127.0.0.1:${await freePort()}/none`;
    const { process: child, output } = spawnService({ ...settings, DATABASE_URL });
    await eventually(() => expect(output()).toContain('cannot connect to the database'));
    const ended = once(child, 'exit') as Promise<[number | null]>;
    child.kill('SIGTERM');
    expect((await ended)[0]).toBe(0);
  });

  it('ends a worker cleanly: no job is lost or left locked', async () => {
    const { service, uploader } = await start();
    for (let n = 0; n < 6; n++) await uploader.upload(uniqueJpeg());
    const locked = async () => {
      const [row] = await query<{ count: string }>(
        databaseUrl,
        'SELECT count(*) FROM graphile_worker.jobs WHERE locked_at IS NOT NULL',
      );
      return Number(row!.count);
    };
    const reading = slowDown(800);
    const worker = await startWorker(service.env);
    await eventually(() => expect(reading.count).toBeGreaterThan(0));
    expect(await worker.stop()).toBe(0);
    expect(await locked()).toBe(0);

    store.heal();
    const next = await startWorker(service.env);
    await drainQueue({ databaseUrl });
    expect(await next.stop()).toBe(0);
    await service.stop();
  });

  it('ends a worker in time when the database no longer responds', async () => {
    const database = await TcpProxy.to(databaseUrl);
    const worker = await startWorker({ ...settings, DATABASE_URL: database.via(databaseUrl) });
    await eventually(() => expect(database.connections).toBeGreaterThan(2));
    await database.set('hang');
    const startedAt = Date.now();
    expect(await worker.stop()).toBe(0);
    expect(Date.now() - startedAt).toBeLessThan(STOP_WITHIN_MS);
    await database.close();
  });
});
