import { DeleteObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { type Download, DownloadFolder, open } from '../support/api/download.js';
import { waitUntil, type LibraryService, libraryOn, newLibrary } from '../support/api/library.js';
import { MeteredProxy } from '../support/faults/metered-proxy.js';
import { newKey } from '../support/api/people.js';
import { readZip } from '../support/api/read-zip.js';
import { seedFiles } from '../support/database/seed-assets.js';
import { type ServiceProcess, startProcess, storeClient } from '../support/services/service.js';
import { TcpProxy } from '../support/faults/tcp-proxy.js';

const MB = 1024 * 1024;
const STORE = process.env['TEST_STORE_ENDPOINT']!;

let meter: MeteredProxy;
let breaker: TcpProxy;
let running: LibraryService<ServiceProcess>;
let token: string;
const store = storeClient();
const downloads = new DownloadFolder();

beforeAll(async () => {
  meter = await MeteredProxy.to(STORE);
  breaker = await TcpProxy.to(meter.via(STORE));
  running = await libraryOn(await startProcess({ STORAGE_ENDPOINT: breaker.via(STORE) }));
  token = (await newKey(running.owner, { role: 'viewer', clientIds: null })).key;
});
afterAll(async () => {
  downloads.remove();
  store.destroy();
  // Killed, because an orderly stop would wait for callers that stall.
  await running?.service.kill();
  await breaker?.close();
  meter?.close();
});
beforeEach(async () => {
  running = { ...running, ...(await newLibrary(running.owner)) };
});
afterEach(() => breaker.set('pass'));

const urlOf = (clientId = running.clientId) =>
  `${running.service.url}/admin/clients/${clientId}/assets/folders/download`;
const seed = (...sizes: number[]) =>
  seedFiles(
    running.service,
    running.clientId,
    sizes.map((size) => ({ bytes: randomBytes(size) })),
  );

/** Neither the response nor the received file may look like a complete archive. */
function expectCut(download: Download): void {
  expect(download.status).toBe(200);
  expect(download.isComplete).toBe(false);
  expect(download.bytes).toBeLessThan(Number(download.headers['content-length']));
  expect(() => readZip(download.path)).toThrow('Not a valid archive');
}

describe('a source that fails', () => {
  it.each([
    ['the first', 0],
    ['one in the middle', 2],
    ['the last', 4],
  ])('because %s object is missing closes the connection', async (_which, index) => {
    const files = await seed(300_000, 10, 300_000, 10, 300_000);
    await store.send(new DeleteObjectCommand({ Bucket: running.service.bucket, Key: files[index]!.key }));
    expectCut(await downloads.fetch(urlOf(), token));
  });

  it.each([
    ['shorter', 99_000],
    ['longer', 101_000],
  ])('because an object is %s than its record closes the connection', async (_how, size) => {
    const files = await seed(10, 100_000);
    const { key } = files[1]!;
    await store.send(
      new PutObjectCommand({ Bucket: running.service.bucket, Key: key, Body: Buffer.alloc(size) }),
    );
    const { status, isComplete, path } = await downloads.fetch(urlOf(), token);
    expect({ status, isComplete }).toEqual({ status: 200, isComplete: false });
    expect(() => readZip(path)).toThrow('Not a valid archive');
  });

  it('because the store disconnects midway closes the connection', async () => {
    await seed(6 * MB);
    await breaker.set('cut', { cutAfterBytes: 2 * MB });
    expectCut(await downloads.fetch(urlOf(), token));
  });

  it('does not affect the service: the next archive is complete', async () => {
    const files = await seed(MB, MB);
    await store.send(new DeleteObjectCommand({ Bucket: running.service.bucket, Key: files[1]!.key }));
    for (let round = 0; round < 6; round++) expectCut(await downloads.fetch(urlOf(), token));
    running = { ...running, ...(await newLibrary(running.owner)) };
    await seed(MB);
    const { isComplete, path } = await downloads.fetch(urlOf(), token);
    expect(isComplete).toBe(true);
    expect(readZip(path)).toHaveLength(4);
    expect(running.service.process.exitCode).toBeNull();
  });
});

const opened: IncomingMessage[] = [];
afterEach(() => opened.splice(0).forEach((response) => response.destroy()));

/** A caller who reads only the first bytes. */
async function stalled(clientId = running.clientId): Promise<IncomingMessage> {
  const response = await open(urlOf(clientId), token);
  opened.push(response);
  expect(response.statusCode).toBe(200);
  await once(response, 'readable');
  response.read(1);
  return response;
}

/** The number of bytes from the store within the time. */
async function readWithin(milliseconds: number): Promise<number> {
  const before = meter.received;
  await new Promise((resolve) => setTimeout(resolve, milliseconds));
  return meter.received - before;
}

describe('a caller', () => {
  it('who reads slowly slows down reading from the store', async () => {
    await seed(96 * MB);
    const before = meter.received;
    await stalled();
    await waitUntil(async () => (await readWithin(300)) === 0, 'the store is no longer read');
    // Data in transit is in socket buffers.
    expect(meter.received - before).toBeLessThan(64 * MB);
  });

  it('who disconnects stops the reading within a second', async () => {
    await seed(...Array<number>(12).fill(8 * MB));
    const response = await open(urlOf(), token);
    let taken = 0;
    for await (const chunk of response as AsyncIterable<Buffer>) {
      taken += chunk.length;
      if (taken > 4 * MB) break;
    }
    response.destroy();
    await new Promise((resolve) => setTimeout(resolve, 1000));
    expect(await readWithin(500)).toBe(0);
    await waitUntil(() => Promise.resolve(breaker.connections <= 4), 'connections are released');
  });

  it('gets four archives of a client at the same time; the fifth is 429 until one has ended', async () => {
    await seed(32 * MB);
    const other = await newLibrary(running.owner);
    const open4 = await Promise.all(Array.from({ length: 4 }, () => stalled()));
    const fifth = await running.admin.get('/folders/download');
    expect(fifth.status).toBe(429);
    expect(fifth.body.code).toBe('too_many_downloads');
    expect(Number(fifth.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await other.admin.get('/folders/download')).status).toBe(200);
    expect((await running.admin.api.request('HEAD', `${running.admin.path}/folders/download`)).status).toBe(
      200,
    );
    open4[0]!.destroy();
    await waitUntil(async () => {
      const response = await open(urlOf(), token);
      response.destroy();
      return response.statusCode === 200;
    }, 'a place is free again');
  });
});
