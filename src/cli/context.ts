import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { AppModule } from '../app.module.js';
import { type Config, readConfig } from '../config/config.js';
import { readEnvironment } from '../config/environment.js';

/** A command takes no jobs and no port. */
function besideTheService(config: Config): Config {
  return { ...config, worker: 'off', metrics: { ...config.metrics, port: null } };
}

/** Runs a command with the service's own parts, against the configured database and store. */
export async function withServices<T>(work: (app: INestApplicationContext) => Promise<T>): Promise<T> {
  const config = readConfig(readEnvironment());
  if (config.embedded)
    throw new Error('DATABASE_URL is not set: this command works on a configured service.');
  const app = await NestFactory.createApplicationContext(AppModule.for(besideTheService(config)), {
    logger: false,
    abortOnError: false,
  });
  try {
    return await work(app);
  } finally {
    await app.close();
  }
}
