import { runMigrations } from 'graphile-worker';
import { DataSource } from 'typeorm';
import type { DatabaseConfig } from '../config/config.js';
import { migrationOptions } from './data-source-options.js';

/** An arbitrary number that every process of this service agrees on. */
const MIGRATION_LOCK = 4_217_003;

/** Runs what is pending; of several processes starting at once, one migrates and the others wait. */
export async function migrate(config: Pick<DatabaseConfig, 'url'>): Promise<void> {
  const dataSource = await new DataSource(migrationOptions(config)).initialize();
  try {
    const runner = dataSource.createQueryRunner();
    // Ends with its connection, should the process die.
    await runner.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
    try {
      await dataSource.runMigrations({ transaction: 'each' });
      // The queue keeps its tables in a schema of its own.
      await runMigrations({ connectionString: config.url });
    } finally {
      await runner.query('SELECT pg_advisory_unlock($1)', [MIGRATION_LOCK]);
      await runner.release();
    }
  } finally {
    await dataSource.destroy();
  }
}
