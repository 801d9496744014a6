import { DataSource } from 'typeorm';
import { readConfig } from '../config/config.js';
import { readEnvironment } from '../config/environment.js';
import { dataSourceOptions } from '../database/data-source-options.js';
import { migrate } from '../database/migrate.js';

/** For DATABASE_MIGRATE=false: brings the database up to date by hand. */
export async function migrateDatabase(): Promise<void> {
  const { database, embedded } = readConfig(readEnvironment());
  if (embedded) throw new Error('DATABASE_URL is not set: the embedded database migrates by itself.');
  const dataSource = await new DataSource(dataSourceOptions(database)).initialize();
  try {
    await migrate(dataSource, database.url);
    process.stdout.write('The database is up to date.\n');
  } finally {
    await dataSource.destroy();
  }
}
