import { Client } from 'pg';
import { newSettings } from '../services/service.js';

const TABLES = `
  SELECT format('%I.%I', schemaname, tablename) AS name,
         (SELECT string_agg(format('%I', column_name), ', ') FROM information_schema.columns
           WHERE table_schema = schemaname AND table_name = tablename AND is_generated = 'NEVER') AS columns,
         (SELECT column_name FROM information_schema.columns
           WHERE table_schema = schemaname AND table_name = tablename AND is_identity = 'YES') AS numbered
    FROM pg_tables
   WHERE schemaname = 'public' AND tablename <> 'migrations'
      OR schemaname = 'graphile_worker' AND tablename IN ('_private_job_queues', '_private_tasks', '_private_jobs')`;

/** A new database with the rows of another one, as after restoring its dump, also while that one is in use. Returns its address. */
export async function restoreCopy(databaseUrl: string): Promise<string> {
  const { DATABASE_URL: copyUrl } = await newSettings();
  await restoreDump(databaseUrl, copyUrl);
  return copyUrl;
}

/** Restores a dump into a migrated database, which may be in another cluster. */
export async function restoreDump(fromUrl: string, toUrl: string): Promise<void> {
  const [from, to] = [new Client(asSuperuser(fromUrl)), new Client(asSuperuser(toUrl))];
  await Promise.all([from.connect(), to.connect()]);
  try {
    await from.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
    await to.query('BEGIN');
    // Rows in any order, and none twice because of a trigger.
    await to.query('SET LOCAL session_replication_role = replica');
    const { rows: tables } = await from.query<{ name: string; columns: string; numbered: string | null }>(
      TABLES,
    );
    for (const { name, columns, numbered } of tables) {
      const { rows } = await from.query<{ all: string }>(
        `SELECT coalesce(json_agg(t), '[]')::text AS all FROM ${name} t`,
      );
      await to.query(`DELETE FROM ${name}`);
      await to.query(
        `INSERT INTO ${name} (${columns}) OVERRIDING SYSTEM VALUE
           SELECT ${columns} FROM json_populate_recordset(NULL::${name}, $1::json)`,
        [rows[0]!.all],
      );
      if (numbered)
        await to.query(
          `SELECT setval(pg_get_serial_sequence($1, $2), coalesce(max(${numbered}), 0) + 1) FROM ${name}`,
          [name, numbered],
        );
    }
    await to.query('COMMIT');
  } finally {
    await Promise.all([from.end(), to.end()]);
  }
}

function asSuperuser(url: string): string {
  const superuser = new URL(url);
  superuser.username = 'postgres';
  return superuser.toString();
}
