import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';
import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import sharp from 'sharp';
import { startObjectStoreThread } from '../dist/src/embedded/object-store/object-store-thread.js';
import { measured } from './support/process-use.mjs';
import { OWNER, SECRET, SERVICE, withServers } from './support/servers.mjs';

export const title = 'sessions and finalizes per second (200 KB JPEGs, embedded store), and a film of 1 GiB';

const FILES = Number(process.env.BENCH_FILES ?? 300);
const AT_ONCE = 16;
const GIB = 1024 ** 3;
const FILM_AIM_MB = 250;
const KEYS = { accessKeyId: 'bench', secretAccessKey: 'bench-bench-bench' };
const BUCKET = 'bench';

export async function run() {
  const directory = mkdtempSync(join(tmpdir(), 'asset-library-bench-store-'));
  const store = await startObjectStoreThread({ directory, host: '127.0.0.1', port: 0, ...KEYS });
  try {
    await createBucket(store.endpoint);
    return await withServers(async ({ startProcess }) => {
      const start = () => startProcess(SERVICE, settings(store.endpoint));
      const { opening, finalizing } = await measurePictures(await start());
      // In a process of its own: what the pictures left in the heap would be counted.
      const film = await measureFilm(await start());
      const verdict = film.peakMb < FILM_AIM_MB ? 'reached' : 'missed';
      return {
        rows: [
          row('opening sessions', opening, FILES),
          row('finalizing 200 KB JPEGs', finalizing, FILES),
          row('finalizing a film of 1 GiB', film, 1),
        ],
        conclusion: `film at ${film.peakMb} MB (aim: under ${FILM_AIM_MB} MB, ${verdict}); ${AT_ONCE} at once; CPU and memory of the service's own process, without decoders and store`,
      };
    });
  } finally {
    await store.close();
    rmSync(directory, { recursive: true, force: true });
  }
}

async function measurePictures({ url, process: { pid } }) {
  const { open, finalize } = await newUploader(url);
  const jpegs = await pictures();
  const file = (index) => jpegs[index % jpegs.length];
  const stage = async (index) => {
    const session = await open('picture.jpg', 'image/jpeg', file(index).length);
    await put(session.uploadUrl, file(index).length, [file(index)]);
    return session;
  };
  for (let index = 0; index < 20; index++) await finalize(await stage(index));
  const opening = await measured(pid, () =>
    inParallel((index) => open('picture.jpg', 'image/jpeg', file(index).length)),
  );
  await inParallel((index) => put(opening.result[index].uploadUrl, file(index).length, [file(index)]));
  const finalizing = await measured(pid, () => inParallel((index) => finalize(opening.result[index])));
  return { opening, finalizing };
}

async function measureFilm({ url, process: { pid } }) {
  const { open, finalize } = await newUploader(url);
  const film = await filmOf(GIB);
  const session = await open('film.mp4', 'video/mp4', GIB);
  await put(session.uploadUrl, GIB, film.chunks());
  return measured(pid, async () => {
    const asset = await finalize(session);
    if (asset.sha256 !== film.sha256) throw new Error('The film has another checksum than its bytes.');
  });
}

function row(what, { seconds, cpuShare, peakMb }, count) {
  return {
    what,
    'per s': Math.round((count / seconds) * 10) / 10,
    seconds: Math.round(seconds * 100) / 100,
    'CPU %': Math.round(cpuShare * 100),
    'peak MB': peakMb,
  };
}

async function newUploader(url) {
  const call = await signIn(url);
  const { clientId } = await call('/admin/clients', { name: 'Bench' });
  const sessions = `/admin/clients/${clientId}/assets/upload-session`;
  return {
    open: (originalFilename, mimeType, expectedSizeBytes) =>
      call(sessions, { originalFilename, mimeType, expectedSizeBytes }),
    finalize: ({ uploadToken }) => call(`${sessions}/finalize`, { uploadToken }),
  };
}

function settings(endpoint) {
  return {
    AUTH_JWT_SECRET: SECRET,
    SECRETS_KEY: SECRET,
    ADMIN_EMAIL: OWNER.email,
    ADMIN_PASSWORD: OWNER.password,
    STORAGE_ACCOUNT_ID: 'bench',
    STORAGE_ACCESS_KEY_ID: KEYS.accessKeyId,
    STORAGE_SECRET_ACCESS_KEY: KEYS.secretAccessKey,
    STORAGE_BUCKET_NAME: BUCKET,
    STORAGE_ENDPOINT: endpoint,
  };
}

async function createBucket(endpoint) {
  process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED = 'true';
  const client = new S3Client({ endpoint, region: 'auto', forcePathStyle: true, credentials: KEYS });
  await client.send(new CreateBucketCommand({ Bucket: BUCKET }));
  client.destroy();
}

async function signIn(url) {
  const post = async (path, body, headers = {}) => {
    const answer = await fetch(url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
    const json = await answer.json();
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${JSON.stringify(json)}`);
    return json;
  };
  const { accessToken } = await post('/auth/login', OWNER);
  return (path, body) => post(path, body, { authorization: `Bearer ${accessToken}` });
}

/** JPEGs of about 200 KB that differ. */
async function pictures() {
  const [width, height] = [1200, 800];
  const made = [];
  for (let index = 0; index < 8; index++) {
    const noise = await sharp(randomBytes(width * height * 3), { raw: { width, height, channels: 3 } })
      .blur(1.2)
      .jpeg({ quality: 78 })
      .toBuffer();
    made.push(noise);
  }
  return made;
}

/** A small valid film with a box of this many bytes in all behind it that readers skip; made as it is read, never held in memory. */
async function filmOf(sizeBytes) {
  const small = readFileSync(new URL('../src/embedded/samples/steam.mp4', import.meta.url));
  const head = Buffer.alloc(16);
  head.writeUInt32BE(1, 0);
  head.write('free', 4, 'latin1');
  head.writeBigUInt64BE(BigInt(sizeBytes - small.length), 8);
  const filler = randomBytes(1024 * 1024);
  function* chunks() {
    yield small;
    yield head;
    for (let left = sizeBytes - small.length - head.length; left > 0; left -= filler.length) {
      yield left < filler.length ? filler.subarray(0, left) : filler;
    }
  }
  const hash = createHash('sha256');
  for (const chunk of chunks()) hash.update(chunk);
  return { chunks, sha256: hash.digest('hex') };
}

/** A streamed PUT of a known length. */
async function put(url, length, chunks) {
  const outgoing = request(url, { method: 'PUT', headers: { 'content-length': length } });
  const answered = new Promise((resolve, reject) => outgoing.once('response', resolve).once('error', reject));
  await pipeline(Readable.from(chunks), outgoing);
  const answer = await answered;
  answer.resume();
  if (answer.statusCode !== 200) throw new Error(`The PUT answered ${answer.statusCode}`);
}

/** Each file once, so many at a time; the results in order. */
async function inParallel(work) {
  const results = new Array(FILES);
  let next = 0;
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (let index = next++; index < FILES; index = next++) results[index] = await work(index);
    }),
  );
  return results;
}
