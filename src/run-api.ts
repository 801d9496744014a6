import type { NestExpressApplication } from '@nestjs/platform-express';
import { createApp } from './app.setup.js';
import { configureLogger, logger } from './common/logging/logger.js';
import { type Config, readConfig } from './config/config.js';
import { readEnvironment } from './config/environment.js';
import { AccessChanges } from './database/access-changes.js';
import { closeGracefully } from './lifecycle.js';
import { fail, type Stop, stopOnSignal } from './process-life.js';
import { UsersService } from './users/users.service.js';

/** Starts the API process: on the configured database and store, or on embedded ones when nothing is configured. */
export async function runApi(): Promise<void> {
  const onceRunning = stopOnSignal();
  try {
    const config = readConfig(readEnvironment());
    // Loaded only then: a configured service never touches that code.
    const run = config.embedded ? (await import('./embedded/run-embedded.js')).runEmbedded : runConfigured;
    onceRunning(await run(config));
  } catch (error) {
    fail(error);
  }
}

/** Each way of running answers with what undoes it. */
async function runConfigured(config: Config): Promise<Stop> {
  configureLogger(config.logLevel);
  if (!config.storage.configured) {
    logger.warn(
      { missing: config.storage.missing },
      'storage is not configured: uploads are refused until the settings are there and the server is restarted',
    );
  }
  const app = await createApp(config);
  await listen(app, config);
  logger.info({ url: config.http.publicUrl }, 'listening');
  return () => closeGracefully(app, config.drainSeconds);
}

export async function listen(app: NestExpressApplication, config: Config): Promise<void> {
  if (config.firstOwner) {
    await app.get(UsersService).ensureFirstOwner(config.firstOwner.email, config.firstOwner.password);
  }
  app.get(AccessChanges).start();
  await app.listen(config.http.port, config.http.host);
}
