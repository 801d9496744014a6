import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from './servers.mjs';

const SEED = readFileSync(join(import.meta.dirname, 'seed-library.sql'), 'utf8');

/** One of the clients, and its folder that contains a tenth of its assets. */
export const CLIENT = 'seeded-1';
export const FOLDER = createHash('md5')
  .update(`${CLIENT}/1`)
  .digest('hex')
  .replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, '$1-$2-4$3-8$4-$5');

/** Indexes are built afterwards; otherwise a million rows would take very long. */
export async function seedLibrary(databaseUrl, clients, assets) {
  const text = SEED.replaceAll(':clients', String(clients)).replaceAll(':assets', String(assets));
  const indexes = await sql(
    databaseUrl,
    `SELECT indexname AS name, indexdef AS definition FROM pg_indexes
      WHERE tablename = 'assets' AND indexname ~ '^assets_(search|by|in)_'`,
  );
  await sql(databaseUrl, `DROP INDEX ${indexes.map(({ name }) => name).join(', ')}`);
  await sql(databaseUrl, text);
  for (const { definition } of indexes)
    await sql(databaseUrl, `SET maintenance_work_mem = '512MB';\n${definition}`);
  for (const table of ['folders', 'assets']) await sql(databaseUrl, `VACUUM ANALYZE ${table}`);
}
