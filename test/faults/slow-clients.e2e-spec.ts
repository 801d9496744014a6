import { readdirSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { once } from 'node:events';
import { eventually } from '../support/eventually.js';
import { newClient } from '../support/api/people.js';
import { memoryOf } from '../support/services/process-memory.js';
import { launchProcess, newSettings, OWNER, type ServiceProcess } from '../support/services/service.js';
import { TcpProxy } from '../support/faults/tcp-proxy.js';
import { FILES, type TestFile, Uploader } from '../support/api/uploads.js';

const CLIENTS = Number(process.env['SLOW_CLIENTS'] ?? 60);
/** They arrive in groups, and the first must still be there when the last has arrived. */
const GROUP = 50;
const IDLE_SECONDS = 6 + Math.floor(CLIENTS / 25);
/** Long enough for an honest request on a busy machine. */
const HEADERS_SECONDS = 4;
const TEST_MS = 60_000 + CLIENTS * 500;

jest.setTimeout(TEST_MS);
/** Far more than all buffers between store and client can take. */
const FILE_BYTES = 24 * 1024 * 1024;
/** Connections that stay open: those of the database pool, to the store, and our own. */
const KEPT = 25;
const MEBIBYTE = 1024 * 1024;

/** A JPEG followed by many bytes, which are tolerated. */
const large: TestFile = {
  ...FILES.jpeg,
  bytes: Buffer.concat([FILES.jpeg.bytes, Buffer.alloc(FILE_BYTES - FILES.jpeg.bytes.length, 7)]),
};

describe('Slow and disconnecting clients', () => {
  let service: ServiceProcess;
  let store: TcpProxy;
  let uploader: Uploader;
  let token: string;
  let path: string;
  const sockets = new Set<Socket>();
  beforeAll(async () => {
    const settings = await newSettings();
    store = await TcpProxy.to(settings.STORAGE_ENDPOINT);
    service = await launchProcess({
      ...settings,
      STORAGE_ENDPOINT: store.via(settings.STORAGE_ENDPOINT),
      STORAGE_PUBLIC_ENDPOINT: settings.STORAGE_ENDPOINT,
      HTTP_HEADERS_TIMEOUT_SECONDS: String(HEADERS_SECONDS),
      HTTP_REQUEST_TIMEOUT_SECONDS: String(HEADERS_SECONDS + 1),
      HTTP_IDLE_TIMEOUT_SECONDS: String(IDLE_SECONDS),
    });
    token = (await service.api.post('/auth/login', OWNER)).body.accessToken as string;
    const owner = service.api.as(token);
    uploader = Uploader.admin(owner, await newClient(owner));
    const session = await uploader.stage(large);
    // On a busy machine, the response may take longer than the idle timeout. A repeated finalize returns the same asset.
    const { assetId } = await eventually(async () => {
      const response = await uploader.finalize(session);
      expect([200, 201]).toContain(response.status);
      return response.body;
    }, TEST_MS);
    path = `${uploader.base}/${assetId}/download`;
  });
  afterEach(() => {
    for (const socket of sockets) socket.destroy();
    sockets.clear();
  });
  afterAll(async () => {
    await service.stop();
    await store.close();
  });

  const open = async (text: string) => {
    const socket = connect(service.port, '127.0.0.1');
    socket.on('error', () => undefined);
    sockets.add(socket);
    await once(socket, 'connect');
    socket.write(text);
    return socket;
  };
  const download = () => open(`GET ${path} HTTP/1.1\r\nHost: test\r\nAuthorization: Bearer ${token}\r\n\r\n`);
  /** Reads the beginning of the response, then nothing more. */
  const stalledDownload = async () => {
    const socket = await download();
    const beginning = await new Promise<Buffer>((resolve, reject) => {
      socket.once('data', resolve);
      socket.once('close', () => reject(new Error('The connection was closed before the response began.')));
    });
    expect(beginning.toString('latin1')).toMatch(/^HTTP\/1\.1 200/);
    socket.pause();
    return socket;
  };
  /** How the connection ends, with the text that was received before. */
  const ending = async (socket: Socket) => {
    let text = '';
    socket.on('data', (chunk: Buffer) => (text += chunk.toString('latin1')));
    if (!socket.closed) await once(socket, 'close');
    return text;
  };

  const descriptors = () => readdirSync(`/proc/${service.process.pid}/fd`).length;
  const memory = () => memoryOf(service.process.pid!) * MEBIBYTE;
  const clients = async <T>(work: () => Promise<T>) => {
    const all: T[] = [];
    while (all.length < CLIENTS) {
      const group = Math.min(GROUP, CLIENTS - all.length);
      all.push(...(await Promise.all(Array.from({ length: group }, work))));
    }
    return all;
  };
  const expectBackAtBase = async (base: { descriptors: number; reads: number }) => {
    await eventually(
      () => {
        expect(descriptors()).toBeLessThanOrEqual(base.descriptors + KEPT);
        expect(store.connections).toBeLessThanOrEqual(base.reads + KEPT);
      },
      IDLE_SECONDS * 2_000 + 20_000,
    );
    expect((await service.api.get('/readyz')).status).toBe(200);
  };

  it(`${CLIENTS} that stop reading midway use little memory, and lose their connection in time`, async () => {
    const base = { descriptors: descriptors(), reads: store.connections, memory: memory() };
    const stalled = await clients(stalledDownload);
    // Others are served meanwhile.
    expect((await uploader.api.get(uploader.base)).status).toBe(200);
    // Without back-pressure each would hold its whole file.
    expect(memory() - base.memory).toBeLessThan(150 * MEBIBYTE + CLIENTS * 2 * MEBIBYTE);
    expect(descriptors()).toBeGreaterThanOrEqual(base.descriptors + CLIENTS);
    await expectBackAtBase(base);
    for (const socket of stalled) socket.destroy();
  });

  it(`${CLIENTS} that disappear midway end their reads of the store`, async () => {
    const base = { descriptors: descriptors(), reads: store.connections };
    const gone = await clients(stalledDownload);
    for (const socket of gone) socket.resetAndDestroy();
    await expectBackAtBase(base);
  });

  it('memory does not grow from one crowd to the next', async () => {
    const crowd = async () => {
      for (const socket of await clients(stalledDownload)) socket.resetAndDestroy();
      await eventually(() => expect(store.connections).toBeLessThanOrEqual(5), 30_000);
      return memory();
    };
    const first = await crowd();
    await crowd();
    expect((await crowd()) - first).toBeLessThan(100 * MEBIBYTE);
  });

  it('one that reads slowly, but steadily, gets the whole file', async () => {
    const socket = await download();
    let received = 0;
    const bytesPerMs = FILE_BYTES / (IDLE_SECONDS * 2_000);
    const startedAt = Date.now();
    await new Promise<void>((resolve, reject) => {
      socket.on('data', (chunk: Buffer) => {
        received += chunk.length;
        if (received > FILE_BYTES) return resolve();
        socket.pause();
        // In total slower than the idle timeout, but never that slow between two bytes.
        setTimeout(() => socket.resume(), chunk.length / bytesPerMs);
      });
      socket.on('close', () => reject(new Error(`closed after ${received} bytes`)));
    });
    expect(Date.now() - startedAt).toBeGreaterThan(IDLE_SECONDS * 1_000);
  });

  it.each([
    ['headers', 'GET /healthz HTTP/1.1\r\nHost: te'],
    [
      'a body',
      'POST /auth/login HTTP/1.1\r\nHost: test\r\nContent-Type: application/json\r\nContent-Length: 900\r\n\r\n{"em',
    ],
    ['nothing at all', ''],
  ])('one that sends %s and never the rest is disconnected', async (_what, text) => {
    const startedAt = Date.now();
    const response = await ending(await open(text));
    expect(response === '' || response.startsWith('HTTP/1.1 4')).toBe(true);
    expect(Date.now() - startedAt).toBeLessThan((IDLE_SECONDS + 5) * 1_000);
  });

  it('one that sends headers very slowly is disconnected too', async () => {
    const socket = await open('GET /healthz HTTP/1.1\r\n');
    const drops = setInterval(() => socket.write('X-Drop: 1\r\n'), 200);
    const startedAt = Date.now();
    await ending(socket);
    clearInterval(drops);
    expect(Date.now() - startedAt).toBeLessThan((HEADERS_SECONDS + 5) * 1_000);
  });
});
