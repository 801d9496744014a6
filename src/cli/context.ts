import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { AppModule } from '../app.module.js';
import { type Config, readConfig } from '../config/config.js';
import { readEnvironment } from '../config/environment.js';

/** A command runs no jobs and opens no port. */
function commandConfig(config: Config): Config {
  return { ...config, worker: 'off', metrics: { ...config.metrics, port: null } };
}

/** Runs a command with the application's services, on the configured database and store. */
export async function withServices<T>(work: (app: INestApplicationContext) => Promise<T>): Promise<T> {
  const config = readConfig(readEnvironment());
  if (config.embedded)
    throw new Error('DATABASE_URL is not set. This command requires a configured database.');
  const app = await NestFactory.createApplicationContext(AppModule.for(commandConfig(config)), {
    logger: false,
    abortOnError: false,
  });
  try {
    return await work(app);
  } finally {
    await app.close();
  }
}
