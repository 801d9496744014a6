import { readConfig } from '../config/config.js';
import { readEnvironment } from '../config/environment.js';
import { migrate } from '../database/migrate.js';

/** For DATABASE_MIGRATE=false: brings the database up to date by hand. */
export async function migrateDatabase(): Promise<void> {
  const { database, embedded } = readConfig(readEnvironment());
  if (embedded) throw new Error('DATABASE_URL is not set: the embedded database migrates by itself.');
  await migrate(database);
  process.stdout.write('The database is up to date.\n');
}
