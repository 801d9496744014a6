import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, readdir, rename, rm, truncate, writeFile } from 'node:fs/promises';
import { type IncomingMessage, request as httpRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import {
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  PutObjectCommand,
} from '@aws-sdk/client-s3';
import { startObjectStore } from '../src/object-store.js';
import {
  BUCKET,
  type TestStore,
  credentials,
  md5,
  patternBytes,
  signHeaders,
  signedRaw,
  startTestStore,
} from './store-fixture.js';

const MIB = 1024 * 1024;

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

describe('object store: on disk', () => {
  let store: TestStore;

  beforeEach(async () => void (store = await startTestStore()));
  afterEach(() => store.stop());

  const urlOf = (key: string) => `${store.endpoint}/${BUCKET}/${key}`;
  const put = (Key: string, Body: string | Buffer, more: object = {}) =>
    store.s3.send(new PutObjectCommand({ Bucket: BUCKET, Key, Body, ...more }));
  const get = async (Key: string) => {
    const response = await store.s3.send(new GetObjectCommand({ Bucket: BUCKET, Key }));
    return { ...response, text: await response.Body!.transformToString() };
  };
  const filesBelow = async (directory: string) => (await readdir(directory, { recursive: true })).sort();

  it('keeps objects and their metadata across a restart', async () => {
    await put('kept', 'contents', { ContentType: 'image/gif', Metadata: { a: 'b' } });
    await store.restart();
    expect(await get('kept')).toMatchObject({
      text: 'contents',
      ContentType: 'image/gif',
      Metadata: { a: 'b' },
    });
  });

  it('never uses a key as a path', async () => {
    await put('../../../outside', 'x');
    await put('plain-name', 'x');
    const files = await filesBelow(store.directory);
    expect(files.filter((file) => /outside|plain-name/.test(file))).toEqual([]);
  });

  it('takes no more space after replacing or deleting', async () => {
    for (let i = 0; i < 5; i++) await put('same', `version ${i}`);
    expect(await store.blobCount()).toBe(1);
    await store.s3.send(new DeleteObjectCommand({ Bucket: BUCKET, Key: 'same' }));
    expect(await store.blobCount()).toBe(0);
  });

  it('removes at startup what a crash left, and nothing else', async () => {
    await put('kept', 'contents');
    const upload = await store.s3.send(
      new CreateMultipartUploadCommand({ Bucket: BUCKET, Key: 'under-way' }),
    );
    const before = await filesBelow(store.directory);
    const bucketDirectory = join(store.directory, 'buckets', BUCKET);
    await writeFile(join(store.directory, 'blobs', 'half-an-upload'), 'ha');
    await writeFile(join(bucketDirectory, 'objects', 'abc.json.1234.tmp'), '{"key":');
    await mkdir(join(bucketDirectory, 'uploads', 'no-record', 'parts'), { recursive: true });
    await mkdir(join(store.directory, 'buckets', 'half-created', 'objects'), { recursive: true });
    await store.restart();
    expect(await filesBelow(store.directory)).toEqual(before);
    expect(before.some((file) => file.includes(upload.UploadId!))).toBe(true);
    expect((await get('kept')).text).toBe('contents');
  });

  it('refuses to start with a damaged record instead of dropping its bytes', async () => {
    await put('kept', 'contents');
    const objects = join(store.directory, 'buckets', BUCKET, 'objects');
    const [record] = await readdir(objects);
    const text = await readFile(join(objects, record!), 'utf8');
    await writeFile(join(objects, record!), text.slice(0, 20));
    const { directory } = store;
    await expect(startObjectStore({ directory, host: '127.0.0.1', port: 0, ...credentials })).rejects.toThrow(
      /record/,
    );
    expect(await store.blobCount()).toBe(1);
  });

  describe('while an object is being read', () => {
    const old = patternBytes(24 * MIB);
    /** Begins a download and stops reading after the first bytes, like a slow client. */
    const beginReading = async () => {
      const { headers } = signHeaders(urlOf('big'), { method: 'GET' });
      const outgoing = httpRequest(urlOf('big'), { headers }).end();
      const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
      return async () => Buffer.concat((await response.toArray()) as Buffer[]);
    };

    it.each([
      ['replaced', () => put('big', 'new')],
      ['deleted', () => store.s3.send(new DeleteObjectCommand({ Bucket: BUCKET, Key: 'big' }))],
    ])('it may be %s: the reader gets all of the old bytes', async (_, change) => {
      await put('big', old);
      const finish = await beginReading();
      await change();
      expect((await finish()).equals(old)).toBe(true);
    });

    it('a reader that disconnects frees what only it held', async () => {
      await put('big', old);
      const { headers } = signHeaders(urlOf('big'), { method: 'GET' });
      const outgoing = httpRequest(urlOf('big'), { headers }).end();
      await once(outgoing, 'response');
      await store.s3.send(new DeleteObjectCommand({ Bucket: BUCKET, Key: 'big' }));
      expect(await store.blobCount()).toBe(1);
      outgoing.destroy();
      while ((await store.blobCount()) > 0) await new Promise((resolve) => setImmediate(resolve));
    });
  });

  it('never mixes concurrent writers of a key', async () => {
    const bodies = Array.from({ length: 12 }, (_, i) => patternBytes(100_000 + i, i));
    const write = (i: number) => put('contested', bodies[i]!, { Metadata: { writer: String(i) } });
    const check = async () => {
      const response = await store.s3.send(new GetObjectCommand({ Bucket: BUCKET, Key: 'contested' }));
      const bytes = await response.Body!.transformToByteArray();
      const expected = bodies[Number(response.Metadata!['writer'])]!;
      expect([response.ETag, Buffer.from(bytes).equals(expected)]).toEqual([`"${md5(expected)}"`, true]);
    };
    await write(0);
    await Promise.all(bodies.flatMap((_, i) => [write(i), check()]));
    await store.restart();
    await check();
    expect(await store.blobCount()).toBe(1);
  });

  it('returns 500 when the disk fails, and recovers when it works again', async () => {
    await put('before', 'x', { CacheControl: 'max-age=999' });
    const stderr = jest.spyOn(process.stderr, 'write').mockReturnValue(true);
    const blobs = join(store.directory, 'blobs');
    await rename(blobs, `${blobs}-away`);
    const write = await signedRaw(urlOf('key'), { method: 'PUT', body: 'x' });
    const read = await signedRaw(urlOf('before'), { method: 'GET' });
    await rename(`${blobs}-away`, blobs);
    expect([write.status, write.code, read.status, read.code]).toEqual([
      500,
      'InternalError',
      500,
      'InternalError',
    ]);
    expect(stderr.mock.calls.map(([line]) => line)).toEqual([
      expect.stringMatching(/^object store: PUT .*ENOENT/),
      expect.stringMatching(/^object store: GET .*ENOENT/),
    ]);
    stderr.mockRestore();
    expect(read.headers['cache-control']).toBeUndefined();
    await put('key', 'y');
    expect((await get('key')).text).toBe('y');
  });

  it('aborts a response, rather than truncating it, when bytes are missing from the disk', async () => {
    await put('torn', patternBytes(MIB));
    const [blob] = await readdir(join(store.directory, 'blobs'));
    await truncate(join(store.directory, 'blobs', blob!), MIB / 2);
    await expect(signedRaw(urlOf('torn'), { method: 'GET' })).rejects.toThrow(/aborted/);
  });

  it('fails to start on a port in use, without touching the files of its directory', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'object-store-'));
    await mkdir(join(directory, 'blobs'));
    await writeFile(join(directory, 'blobs', 'of-the-first'), 'x');
    const starting = startObjectStore({ directory, host: '127.0.0.1', port: store.port, ...credentials });
    await expect(starting).rejects.toMatchObject({ code: 'EADDRINUSE' });
    expect(await readdir(join(directory, 'blobs'))).toEqual(['of-the-first']);
    await rm(directory, { recursive: true });
  });

  it('streams: memory does not grow with the object', async () => {
    const size = (process.env['BIG'] ? 1024 : 160) * MIB;
    const limit = 16 * MIB;
    const chunk = patternBytes(256 * 1024);
    // Client and store share this process. What waits for the garbage collector does not count.
    // If there is little enough even so, it need not collect: in the heap of a worker of Jest, that takes a tenth of a second.
    const buffered = (tooMuch = 0) => {
      const inUse = () => process.memoryUsage().arrayBuffers;
      // Twice, because buffers are only released by the time of the next collection.
      for (let round = 0; round < 2 && inUse() >= tooMuch; round++) collectGarbage();
      return inUse();
    };
    const base = buffered();
    let peak = 0;
    const sampleAt = (bytes: number) => {
      if (bytes % (16 * MIB) < chunk.length) peak = Math.max(peak, buffered(base + limit));
    };

    const { headers } = signHeaders(urlOf('huge'), { method: 'PUT' });
    const outgoing = httpRequest(urlOf('huge'), {
      method: 'PUT',
      headers: { ...headers, 'content-length': size },
    });
    const answered = once(outgoing, 'response') as Promise<[IncomingMessage]>;
    Readable.from(
      (function* () {
        for (let sent = 0; sent < size; sent += chunk.length) {
          sampleAt(sent);
          yield chunk;
        }
      })(),
    ).pipe(outgoing);
    const [uploaded] = await answered;
    expect(uploaded.statusCode).toBe(200);
    uploaded.resume();

    const { headers: getHeaders } = signHeaders(urlOf('huge'), { method: 'GET' });
    const [download] = (await once(
      httpRequest(urlOf('huge'), { headers: getHeaders }).end(),
      'response',
    )) as [IncomingMessage];
    let received = 0;
    for await (const piece of download as AsyncIterable<Buffer>) {
      received += piece.length;
      // Slower than the disk, so that a store that did not wait for its client would buffer the rest.
      if (received % chunk.length >= piece.length) continue;
      await new Promise((resolve) => setTimeout(resolve, 1));
      sampleAt(received);
    }
    expect(received).toBe(size);
    expect(peak - base).toBeLessThan(limit);
  });
});
