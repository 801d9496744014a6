import type { NestExpressApplication } from '@nestjs/platform-express';
import { createApp } from './app.setup.js';
import { configureLogger, logger } from './common/logging/logger.js';
import type { Config } from './config/config.js';
import { AccessChanges } from './database/access-changes.js';
import { closeGracefully } from './lifecycle.js';
import type { Stop } from './process-life.js';
import { UsersService } from './users/users.service.js';

/** Each way of running answers with what undoes it. */
export async function runConfigured(config: Config): Promise<Stop> {
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
