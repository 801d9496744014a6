import { type INestApplicationContext, Module, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ConfigModule } from '../config/config.module.js';
import { readConfig } from '../config/config.js';
import { readEnvironment } from '../config/environment.js';
import { DatabaseModule } from '../database/database.module.js';
import { StorageModule } from '../storage/storage.module.js';

@Module({})
class CommandModule {}

/**
 * Runs a command with the services of these modules, on the configured database and store. The other modules would take longer to load
 * than most commands take to run, and some of them run jobs or open ports.
 */
export async function withServices<T>(
  modules: Type[],
  work: (app: INestApplicationContext) => Promise<T>,
): Promise<T> {
  const config = readConfig(readEnvironment());
  if (config.embedded)
    throw new Error('DATABASE_URL is not set. This command requires a configured database.');
  // Somebody is watching, so a command that cannot reach the database ends immediately. Background work is left to the service.
  const database = { ...config.database, waitSeconds: 0 };
  const settings = { ...config, database, worker: 'off' as const };
  const imports = [ConfigModule.for(settings), DatabaseModule, StorageModule, ...modules];
  const app = await NestFactory.createApplicationContext(
    { module: CommandModule, imports },
    {
      logger: false,
      abortOnError: false,
    },
  );
  try {
    return await work(app);
  } finally {
    await app.close();
  }
}
