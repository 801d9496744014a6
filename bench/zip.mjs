import { PutObjectCommand } from '@aws-sdk/client-s3';
import { randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { contest, median } from './support/contest.mjs';
import { measured } from './support/process-use.mjs';
import { sql, withServers } from './support/servers.mjs';
import { takeAll } from './support/transfers.mjs';

const FILE_MB = 5;
const SMALL_MB = 100;
const LARGE_MB = Number(process.env.BENCH_ZIP_MB ?? 5_000);
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 2);
const MB = 1024 * 1024;

export const title = `a folder as a zip archive, ${SMALL_MB} MB and ${LARGE_MB} MB in files of ${FILE_MB} MB, against bare archiver reading the same bytes from disk`;

export async function run() {
  return withServers(async ({ directory, s3, bucket, startService, startFloor }) => {
    const service = await startService('zips');
    const files = join(directory, 'files');
    mkdirSync(files);
    await sql(
      service.databaseUrl,
      `INSERT INTO clients (id, name) VALUES ('small', 'Small'), ('large', 'Large')`,
    );
    await fill('small', SMALL_MB / FILE_MB);
    await fill('large', LARGE_MB / FILE_MB);
    const floor = await startFloor('bare-zip', { FILES_DIRECTORY: files });

    async function fill(clientId, count) {
      for (let index = 0; index < count; index++) {
        const bytes = randomBytes(FILE_MB * MB);
        const [{ id }] = await sql(service.databaseUrl, INSERT, [clientId, index, bytes.length]);
        const Key = `clients/${clientId}/assets/${id}/${id}`;
        await s3.send(new PutObjectCommand({ Bucket: bucket, Key, Body: bytes }));
        if (clientId === 'large') writeFileSync(join(files, `${index}.jpg`), bytes);
      }
    }

    const take = (url, { process: { pid }, accessToken }) => measured(pid, () => takeAll(url, accessToken));
    const ours = (clientId) =>
      take(`${service.url}/admin/clients/${clientId}/assets/folders/download`, service);
    const bare = (mb) => take(`${floor.url}/download?files=${mb / FILE_MB}`, floor);
    const contenders = await contest(
      [
        { archive: 'service, small', MB: SMALL_MB, measure: () => ours('small') },
        { archive: 'bare archiver, small', MB: SMALL_MB, measure: () => bare(SMALL_MB) },
        { archive: 'service, large', MB: LARGE_MB, measure: () => ours('large') },
        { archive: 'bare archiver, large', MB: LARGE_MB, measure: () => bare(LARGE_MB) },
      ],
      ROUNDS,
    );

    const rows = contenders.map(({ archive, MB, rounds }) => ({
      archive,
      MB,
      'MB/s': Math.round(median(rounds.map(({ seconds }) => MB / seconds))),
      'peak RSS MB': Math.max(...rounds.map(({ peakMb }) => peakMb)),
    }));
    const ratio = (rows[2]['MB/s'] / rows[3]['MB/s']).toFixed(2);
    const growth = rows[2]['peak RSS MB'] - rows[0]['peak RSS MB'];
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
