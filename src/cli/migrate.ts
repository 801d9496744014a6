import { readConfig } from '../config/config.js';
import { readEnvironment } from '../config/environment.js';
import { migrate } from '../database/migrate.js';
import { requireDatabase } from '../database/require-database.js';

/** For DATABASE_MIGRATE=false: runs the migrations manually. */
export async function migrateDatabase(): Promise<void> {
  const { database, embedded } = readConfig(readEnvironment());
  if (embedded) throw new Error('DATABASE_URL is not set. The embedded database is migrated automatically.');
  await requireDatabase({ ...database, waitSeconds: 0 });
  await migrate(database);
  process.stdout.write('The database is up to date.\n');
}
