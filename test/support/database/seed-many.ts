import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { RULES_VERSION } from '../../../src/fitness/publishing-limits.js';
import { query } from '../services/service.js';

const SQL = readFileSync(join(__dirname, '../../../bench/support/seed-library.sql'), 'utf8');

/** Fills a database with clients `seeded-1`, `seeded-2`, … that have the same number of assets each, and analyses it. */
export async function seedMany(databaseUrl: string, clients: number, assets: number): Promise<void> {
  await query(databaseUrl, SQL.replaceAll(':clients', String(clients)).replaceAll(':assets', String(assets)));
  for (const table of ['folders', 'assets']) await query(databaseUrl, `VACUUM ANALYZE ${table}`);
}

/**
 * Spreads assets without objects evenly over a client's folders. Their titles are `Seeded 1`, `Seeded 2`, …; all have the tag `seeded`. As
 * in `seedAssets`, no job changes them.
 */
export async function seedInto(
  databaseUrl: string,
  clientId: string,
  folderIds: readonly string[],
  count: number,
): Promise<void> {
  for (let start = 1; start <= count; start += SEED_PAGE) {
    const end = Math.min(count, start + SEED_PAGE - 1);
    await query(databaseUrl, SEED_INTO, [clientId, folderIds, start, end]);
  }
  for (const table of ['folders', 'assets']) await query(databaseUrl, `VACUUM ANALYZE ${table}`);
}

const SEED_PAGE = 100_000;

const SEED_INTO = `
  WITH made AS (
    SELECT gen_random_uuid() AS id, gen_random_uuid() AS session_id, n,
      ($2::uuid[])[n % cardinality($2::uuid[]) + 1] AS folder_id
    FROM generate_series($3::int, $4::int) n
  ), sessions AS (
    INSERT INTO upload_sessions (id, client_id, token_hash, status, asset_id, attempt, folder_id, original_filename, mime_type,
        expected_size_bytes, url_expires_at, expires_at)
      SELECT session_id, $1, sha256(session_id::text::bytea), 'finalized', id, id, folder_id, n || '.jpg', 'image/jpeg', n, now(), now()
        FROM made
  )
  INSERT INTO assets (id, client_id, session_id, attempt, folder_id, title, description, alt_text, tags, allowed_surfaces,
      original_filename, mime_type, size_bytes, sha256, width, height, search_text, fitness_rules)
    SELECT id, $1, session_id, id, folder_id, 'Seeded ' || n, '', '', '{seeded}', '{}', n || '.jpg', 'image/jpeg', n, md5(id::text),
      10, 10, 'seeded ' || n, ${RULES_VERSION} FROM made`;
