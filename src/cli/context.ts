import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { AppModule } from '../app.module.js';
import { readConfig } from '../config/config.js';
import { readEnvironment } from '../config/environment.js';

/** Runs a command with the service's own parts, against the configured database and store. */
export async function withServices<T>(work: (app: INestApplicationContext) => Promise<T>): Promise<T> {
  const config = readConfig(readEnvironment());
  if (config.embedded)
    throw new Error('DATABASE_URL is not set: this command works on a configured service.');
  const app = await NestFactory.createApplicationContext(AppModule.for({ ...config, worker: 'off' }), {
    logger: false,
    abortOnError: false,
  });
  try {
    return await work(app);
  } finally {
    await app.close();
  }
}
