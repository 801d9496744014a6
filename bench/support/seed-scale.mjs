import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { sql } from './servers.mjs';

const SEED = readFileSync(join(import.meta.dirname, 'seed-scale.sql'), 'utf8');

const TABLES = `('assets'::regclass, 'upload_sessions'::regclass)`;

/**
 * Indexes, foreign keys and counts are created afterwards, on as many connections as there are cores; row by row they would take far
 * longer.
 */
export async function seedScale(databaseUrl, factor) {
  const indexes = await sql(
    databaseUrl,
    `SELECT indexrelid::regclass AS name, pg_get_indexdef(indexrelid) AS definition FROM pg_index
      WHERE indrelid IN ${TABLES} AND NOT indisunique ORDER BY indrelid`,
  );
  const keys = await sql(
    databaseUrl,
    `SELECT conrelid::regclass AS table, conname AS name, pg_get_constraintdef(oid) AS definition FROM pg_constraint
      WHERE contype = 'f' AND conrelid IN ${TABLES}`,
  );
  const run = (statements) => sql(databaseUrl, statements.join(';\n'));
  await run([
    ...indexes.map(({ name }) => `DROP INDEX ${name}`),
    ...keys.map(({ table, name }) => `ALTER TABLE ${table} DROP CONSTRAINT ${name}`),
    'ALTER TABLE assets DISABLE TRIGGER USER',
  ]);
  await run(["SET work_mem = '256MB'", SEED.replaceAll(':factor', String(factor))]);
  await run(['ALTER TABLE assets ENABLE TRIGGER USER']);
  await inParallel(indexes, ({ definition }) =>
    run([`SET maintenance_work_mem = '512MB'; SET max_parallel_maintenance_workers = 0`, definition]),
  );
  await run(
    keys.map(({ table, name, definition }) => `ALTER TABLE ${table} ADD CONSTRAINT ${name} ${definition}`),
  );
  await inParallel(
    ['assets', 'upload_sessions', 'clients', 'folders', 'trash_batches', 'asset_counts'],
    (table) => run([`VACUUM ANALYZE ${table}`]),
  );
}

async function inParallel(items, work) {
  const left = [...items];
  const worker = async () => {
    for (let item = left.shift(); item !== undefined; item = left.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: availableParallelism() }, worker));
}
