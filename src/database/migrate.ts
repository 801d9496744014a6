import { runMigrations } from 'graphile-worker';
import type { DataSource } from 'typeorm';

/** An arbitrary number that every process of this service agrees on. */
const MIGRATION_LOCK = 4_217_003;

/** Runs what is pending; of several processes starting at once, one migrates and the others wait. */
export async function migrate(dataSource: DataSource, databaseUrl: string): Promise<void> {
  const runner = dataSource.createQueryRunner();
  try {
    await runner.query('SET statement_timeout = 0; SET lock_timeout = 0');
    await runner.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
    try {
      await dataSource.runMigrations({ transaction: 'each' });
      // The queue keeps its tables in a schema of its own.
      await runMigrations({ connectionString: databaseUrl });
    } finally {
      await runner.query('SELECT pg_advisory_unlock($1)', [MIGRATION_LOCK]);
    }
    await runner.query('RESET statement_timeout; RESET lock_timeout');
  } finally {
    await runner.release();
  }
}
