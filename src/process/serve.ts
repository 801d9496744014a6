import type { INestApplicationContext } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { createApp } from '../app.setup.js';
import { logger } from '../common/logging/logger.js';
import type { Config } from '../config/config.js';
import { AccessChanges } from '../database/access-changes.js';
import { BucketControl } from '../storage/bucket-control.js';
import { UsersService } from '../users/users.service.js';
import type { Stop } from './run-process.js';
import { closeGracefully } from './shutdown.js';

/** A configuration whose database and store were started together with this process. */
export interface StartedServices {
  readonly config: Config;
  /** Runs before the first request. */
  prepare(app: INestApplicationContext): Promise<void>;
  /** Runs when the service accepts requests. */
  announce(): void;
  /** Stops the database and the store. */
  stop(): Promise<void>;
}

/** Serves requests on a configured database and store. Returns the function that stops the service. */
export async function serve(config: Config): Promise<Stop> {
  if (!config.storage.configured) {
    logger.warn(
      { missing: config.storage.missing },
      'storage is not configured: uploads fail until the settings are added and the server is restarted',
    );
  }
  const app = await createApp(config);
  await listen(app, config);
  logger.info({ url: config.http.publicUrl }, 'listening');
  return () => closeGracefully(app, config.drainSeconds);
}

/** Serves requests on services that it stops afterwards, also when it cannot start. Returns the function that stops everything. */
export async function serveOn({ config, ...services }: StartedServices): Promise<Stop> {
  const stops: Stop[] = [() => services.stop()];
  const stop = async () => {
    for (const undo of stops.reverse()) await undo();
  };
  try {
    const app = await createApp(config);
    stops.push(() => closeGracefully(app, config.drainSeconds));
    await services.prepare(app);
    await listen(app, config);
    services.announce();
    return stop;
  } catch (error) {
    await stop();
    throw error;
  }
}

async function listen(app: NestExpressApplication, config: Config): Promise<void> {
  if (config.firstOwner) {
    await app.get(UsersService).ensureFirstOwner(config.firstOwner.email, config.firstOwner.password);
  }
  app.get(AccessChanges).start();
  app.get(BucketControl).start();
  await app.listen(config.http.port, config.http.host);
}
