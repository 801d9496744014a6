import { type INestApplicationContext, Module, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ConfigModule } from '../config/config.module.js';
import { type Config, readConfig } from '../config/config.js';
import { readEnvironment } from '../config/environment.js';
import { DatabaseModule } from '../database/database.module.js';
import { StorageModule } from '../storage/storage.module.js';

@Module({})
class CommandModule {}

/** A command runs no jobs and opens no port. */
function commandConfig(config: Config): Config {
  return { ...config, worker: 'off', metrics: { ...config.metrics, port: null } };
}

/**
 * Runs a command with the services of these modules, on the configured database and store. Loading all modules takes most of the time of a
 * command.
 */
export async function withServices<T>(
  modules: Type[],
  work: (app: INestApplicationContext) => Promise<T>,
): Promise<T> {
  const config = readConfig(readEnvironment());
  if (config.embedded)
    throw new Error('DATABASE_URL is not set. This command requires a configured database.');
  const imports = [ConfigModule.for(commandConfig(config)), DatabaseModule, StorageModule, ...modules];
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
