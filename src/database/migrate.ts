import { runMigrations } from 'graphile-worker';
import { DataSource } from 'typeorm';
import type { DatabaseConfig } from '../config/config.js';
import { migrationOptions } from './data-source-options.js';

/** An arbitrary number shared by all processes of this service. */
const MIGRATION_LOCK = 4_217_003;

/** Runs pending migrations. If several processes start at the same time, one migrates and the others wait. */
export async function migrate(config: Pick<DatabaseConfig, 'url'>): Promise<void> {
  const dataSource = await new DataSource(migrationOptions(config)).initialize();
  try {
    const runner = dataSource.createQueryRunner();
    // Released with its connection if the process dies.
    await runner.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
    try {
      await dataSource.runMigrations({ transaction: 'each' });
      // The queue keeps its tables in a separate schema.
      await runMigrations({ connectionString: config.url });
    } finally {
      await runner.query('SELECT pg_advisory_unlock($1)', [MIGRATION_LOCK]);
      await runner.release();
    }
  } finally {
    await dataSource.destroy();
  }
}
