import { CopyObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3';
import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { contest, median } from './support/contest.mjs';
import { measured } from './support/process-use.mjs';
import { sql, withServers } from './support/servers.mjs';
import { takeAll } from './support/transfers.mjs';

const MB = 1024 * 1024;
const FILES = Number(process.env.BENCH_ZIP_FILES ?? 500);
const LARGE_MB = Number(process.env.BENCH_ZIP_MB ?? 5_000);
const LARGE_FILE_MB = 5;
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3);
const MARK = 200 / 170;

export const title = `a folder as a zip archive, ${FILES} files of 1 MB and ${LARGE_MB} MB in files of ${LARGE_FILE_MB} MB, against bare archiver and a zip written by hand with zlib.crc32, all from the same store`;

export async function run() {
  return withServers(async ({ directory, s3, bucket, startService, startFloor }) => {
    const service = await startService('zips');
    await sql(
      service.databaseUrl,
      `INSERT INTO clients (id, name) VALUES ('small', 'Small'), ('large', 'Large')`,
    );
    const keys = {
      small: await fill('small', FILES, 1),
      large: await fill('large', LARGE_MB / LARGE_FILE_MB, LARGE_FILE_MB),
    };
    const connection = {
      endpoint: service.endpoint,
      region: 'auto',
      forcePathStyle: true,
      credentials: await s3.config.credentials(),
    };
    const objectsFile = join(directory, 'objects.json');
    writeFileSync(objectsFile, JSON.stringify({ connection, bucket, keys }));
    const floor = await startFloor('bare-zip', {
      OBJECTS_FILE: objectsFile,
      AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true',
    });

    /** Copies of a few files, which the embedded store keeps only once: its disk is not what is measured. */
    async function fill(clientId, count, mb) {
      const contents = Array.from({ length: 8 }, () => randomBytes(mb * MB));
      const keys = [];
      for (let index = 0; index < count; index++) {
        const Body = contents[index % contents.length];
        const [{ id }] = await sql(service.databaseUrl, INSERT, [clientId, index, Body.length]);
        const Key = `clients/${clientId}/assets/${id}/${id}`;
        const CopySource = `${bucket}/${keys[index % contents.length]}`;
        const isFirst = index < contents.length;
        await s3.send(
          isFirst
            ? new PutObjectCommand({ Bucket: bucket, Key, Body })
            : new CopyObjectCommand({ Bucket: bucket, Key, CopySource }),
        );
        keys.push(Key);
      }
      return keys;
    }

    const take = (url, { process: { pid }, accessToken }) => measured(pid, () => takeAll(url, accessToken));
    const ours = (of) => take(`${service.url}/admin/clients/${of}/assets/folders/download`, service);
    const bare = (how, of) => take(`${floor.url}/${how}?of=${of}`, floor);
    const contenders = await contest(
      [
        { archive: `service, ${FILES} × 1 MB`, MB: FILES, measure: () => ours('small') },
        { archive: 'bare archiver', MB: FILES, measure: () => bare('archiver', 'small') },
        { archive: 'by hand, zlib.crc32', MB: FILES, measure: () => bare('by-hand', 'small') },
        { archive: `service, ${LARGE_MB} MB`, MB: LARGE_MB, measure: () => ours('large') },
        { archive: 'bare archiver', MB: LARGE_MB, measure: () => bare('archiver', 'large') },
      ],
      ROUNDS,
    );

    const rows = contenders.map(({ archive, MB, rounds }) => ({
      archive,
      MB,
      'MB/s': Math.round(median(rounds.map(({ seconds }) => MB / seconds))),
      'CPU %': Math.round(100 * median(rounds.map(({ cpuShare }) => cpuShare))),
      'peak RSS MB': Math.max(...rounds.map(({ peakMb }) => peakMb)),
    }));
    const [small, archiver, byHand, large, archiverLarge] = rows;
    const ratio = small['MB/s'] / archiver['MB/s'];
    const ratioOf = (floorRow, row = small) => (row['MB/s'] / floorRow['MB/s']).toFixed(2);
    const growth = large['peak RSS MB'] - small['peak RSS MB'];
    return {
      rows,
      conclusion: `against bare archiver ${ratioOf(archiver)}, large files ${ratioOf(archiverLarge, large)}; against a handwritten zip ${ratioOf(byHand)}; RSS of large over small ${growth} MB (aim: flat)`,
      marks: [
        {
          row: 'Z',
          workload: `zip of ${FILES} × 1 MB`,
          ours: `${small['MB/s']} MB/s`,
          floor: `${archiver['MB/s']} MB/s bare archiver`,
          ratio: Number(ratio.toFixed(2)),
          mark: `at least ${MARK.toFixed(2)}`,
          met: ratio >= MARK,
          'peak MB': small['peak RSS MB'],
        },
      ],
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
