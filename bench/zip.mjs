import { CreateBucketCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { clearInterval, setInterval } from 'node:timers';
import { median, sql, withLibrary } from './support/library-servers.mjs';

const FILE_MB = 5;
const SMALL_MB = 100;
const LARGE_MB = Number(process.env.BENCH_ZIP_MB ?? 5_000);
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3);
const MB = 1024 * 1024;

export const title = `a folder as a zip archive, ${SMALL_MB} MB and ${LARGE_MB} MB in files of ${FILE_MB} MB, against bare archiver reading the same bytes from disk`;

export async function run() {
  return withLibrary(async ({ directory, start, startService, storage }) => {
    const store = new S3Client({
      endpoint: storage.endpoint,
      region: 'auto',
      forcePathStyle: true,
      credentials: storage,
    });
    await store.send(new CreateBucketCommand({ Bucket: storage.bucket }));
    const service = await startService('zips');
    const files = join(directory, 'files');
    mkdirSync(files);
    await sql(
      service.databaseUrl,
      `INSERT INTO clients (id, name) VALUES ('small', 'Small'), ('large', 'Large')`,
    );
    await fill('small', SMALL_MB / FILE_MB);
    await fill('large', LARGE_MB / FILE_MB);
    store.destroy();
    const floor = await start(join(import.meta.dirname, 'floors/bare-zip.mjs'), { FILES_DIRECTORY: files });

    async function fill(clientId, count) {
      for (let index = 0; index < count; index++) {
        const bytes = randomBytes(FILE_MB * MB);
        const [{ id }] = await sql(service.databaseUrl, INSERT, [clientId, index, bytes.length]);
        const Key = `clients/${clientId}/assets/${id}/${id}`;
        await store.send(new PutObjectCommand({ Bucket: storage.bucket, Key, Body: bytes }));
        if (clientId === 'large') writeFileSync(join(files, `${index}.jpg`), bytes);
      }
    }

    const ours = (clientId) =>
      measure(`${service.url}/admin/clients/${clientId}/assets/folders/download`, service);
    const bare = (mb) => measure(`${floor.url}/download?files=${mb / FILE_MB}`, { ...floor, key: '' });
    const contest = [
      ['service, small', SMALL_MB, () => ours('small')],
      ['bare archiver, small', SMALL_MB, () => bare(SMALL_MB)],
      ['service, large', LARGE_MB, () => ours('large')],
      ['bare archiver, large', LARGE_MB, () => bare(LARGE_MB)],
    ].map(([name, mb, fetch]) => ({ name, mb, fetch, rounds: [] }));
    for (let round = 0; round < ROUNDS; round++)
      for (const each of contest) each.rounds.push(await each.fetch());

    const speed = ({ mb, rounds }) => median(rounds.map(({ seconds }) => mb / seconds));
    const peak = ({ rounds }) => Math.max(...rounds.map(({ rss }) => rss)) / MB;
    const rows = contest.map((each) => ({
      archive: each.name,
      MB: each.mb,
      'MB/s': Math.round(speed(each)),
      'peak RSS MB': Math.round(peak(each)),
    }));
    const ratio = (speed(contest[2]) / speed(contest[3])).toFixed(2);
    const growth = Math.round(peak(contest[2]) - peak(contest[0]));
    return {
      rows,
      conclusion: `against bare archiver ${ratio} (aim: at least 0.7); RSS of large over small ${growth} MB (aim: flat)`,
    };
  });
}

const INSERT = `WITH ids AS (SELECT gen_random_uuid() AS id, gen_random_uuid() AS session_id), session AS (
    INSERT INTO upload_sessions (id, client_id, token_hash, status, asset_id, attempt, original_filename, mime_type,
        expected_size_bytes, url_expires_at, expires_at)
      SELECT session_id, $1, sha256(session_id::text::bytea), 'finalized', id, id, $2::text || '.jpg', 'image/jpeg', $3, now(), now() FROM ids)
  INSERT INTO assets (id, client_id, session_id, attempt, title, description, alt_text, tags, allowed_surfaces, original_filename,
      mime_type, size_bytes, sha256, width, height)
    SELECT id, $1, session_id, id, 'x', '', '', '{}', '{}', $2::text || '.jpg', 'image/jpeg', $3, '', 10, 10 FROM ids RETURNING id`;

/** Takes the archive and throws it away, watching the memory of whoever sends it. */
function measure(url, { process: server, key }) {
  const started = performance.now();
  let rss = 0;
  const timer = setInterval(() => (rss = Math.max(rss, rssOf(server.pid))), 50);
  return new Promise((resolve, reject) => {
    get(url, { agent: false, headers: { authorization: `Bearer ${key}` } }, (answer) => {
      if (answer.statusCode !== 200) reject(new Error(`${url} answered ${answer.statusCode}.`));
      answer.resume();
      answer.once('end', () => resolve({ seconds: (performance.now() - started) / 1000, rss }));
      answer.once('error', reject);
    }).once('error', reject);
  }).finally(() => clearInterval(timer));
}

function rssOf(pid) {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) * 1024;
}
