import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from './servers.mjs';

const SEED = readFileSync(join(import.meta.dirname, 'seed-scale.sql'), 'utf8');

/** Indexes, foreign keys and counts are made afterwards: row by row they would take far longer. */
export async function seedScale(databaseUrl, factor) {
  const indexes = await sql(
    databaseUrl,
    `SELECT indexname AS name, indexdef AS definition FROM pg_indexes
      WHERE tablename = 'assets' AND indexname ~ '^assets_(search|by|in)_'`,
  );
  const keys = await sql(
    databaseUrl,
    `SELECT conrelid::regclass AS table, conname AS name, pg_get_constraintdef(oid) AS definition FROM pg_constraint
      WHERE contype = 'f' AND conrelid IN ('assets'::regclass, 'upload_sessions'::regclass)`,
  );
  const run = (statements) => sql(databaseUrl, statements.join(';\n'));
  await run([
    ...indexes.map(({ name }) => `DROP INDEX ${name}`),
    ...keys.map(({ table, name }) => `ALTER TABLE ${table} DROP CONSTRAINT ${name}`),
  ]);
  await run([SEED.replaceAll(':factor', String(factor))]);
  await run([
    "SET maintenance_work_mem = '512MB'",
    ...indexes.map(({ definition }) => definition),
    ...keys.map(({ table, name, definition }) => `ALTER TABLE ${table} ADD CONSTRAINT ${name} ${definition}`),
  ]);
  const tables = await sql(
    databaseUrl,
    `SELECT relname FROM pg_class
      WHERE relnamespace = 'public'::regnamespace AND relname IN ('clients', 'folders', 'assets', 'upload_sessions', 'asset_counts')`,
  );
  for (const { relname } of tables) await sql(databaseUrl, `VACUUM ANALYZE ${relname}`);
}
