import { NestFactory } from '@nestjs/core';
import { AppModule } from './app.module.js';
import { configureLogger, logger } from './common/logging/logger.js';
import { NestLogger } from './common/logging/nest-logger.js';
import { readConfig } from './config/config.js';
import { readEnvironment } from './config/environment.js';
import { ConfigError } from './config/environment-reader.js';
import { closeWorker } from './lifecycle.js';
import { fail, stopOnSignal } from './process-life.js';

/** Runs background work alone, without serving requests; it needs a configured database to find its work in. */
export async function runWorker(): Promise<void> {
  const onceRunning = stopOnSignal();
  try {
    const config = readConfig(readEnvironment());
    if (config.embedded)
      throw new ConfigError(['DATABASE_URL is required: without it there is no queue to work on.']);
    configureLogger(config.logLevel);
    const app = await NestFactory.createApplicationContext(AppModule.for({ ...config, worker: 'inline' }), {
      logger: new NestLogger(),
      abortOnError: false,
    });
    logger.info('working');
    onceRunning(() => closeWorker(app));
  } catch (error) {
    fail(error);
  }
}
