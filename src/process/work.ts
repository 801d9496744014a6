import { NestFactory } from '@nestjs/core';
import { AppModule } from '../app.module.js';
import { configureLogger, logger } from '../common/logging/logger.js';
import { NestLogger } from '../common/logging/nest-logger.js';
import type { Config } from '../config/config.js';
import { ConfigError } from '../config/environment-reader.js';
import { BucketControl } from '../storage/bucket-control.js';
import type { Stop } from './run-process.js';
import { closeWorker } from './shutdown.js';

/** Runs background work without serving requests. Returns the function that stops it. */
export async function work(config: Config): Promise<Stop> {
  if (config.embedded)
    throw new ConfigError(['DATABASE_URL is required: without it, there is no job queue.']);
  configureLogger(config.logLevel);
  const app = await NestFactory.createApplicationContext(AppModule.for({ ...config, worker: 'inline' }), {
    logger: new NestLogger(),
    abortOnError: false,
  });
  app.get(BucketControl).start();
  logger.info('worker started');
  return () => closeWorker(app);
}
