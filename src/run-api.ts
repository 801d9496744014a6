import type { NestExpressApplication } from '@nestjs/platform-express';
import { createApp } from './app.setup.js';
import { configureLogger, logger } from './common/logging/logger.js';
import { type Config, readConfig } from './config/config.js';
import { readEnvironment } from './config/environment.js';
import { ConfigError } from './config/environment-reader.js';
import { UsersService } from './users/users.service.js';

/** Starts the API process: on the configured database and store, or on embedded ones when nothing is configured. */
export async function runApi(): Promise<void> {
  try {
    const config = readConfig(readEnvironment());
    // Loaded only then: a configured service never touches that code.
    const run = config.embedded ? (await import('./embedded/run-embedded.js')).runEmbedded : runConfigured;
    stopOnSignal(await run(config));
  } catch (error) {
    fail(error);
  }
}

/** Each way of running answers with what undoes it. */
type Stop = () => Promise<void>;

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
  return () => app.close();
}

export async function listen(app: NestExpressApplication, config: Config): Promise<void> {
  if (config.firstOwner) {
    await app.get(UsersService).ensureFirstOwner(config.firstOwner.email, config.firstOwner.password);
  }
  await app.listen(config.http.port, config.http.host);
}

function stopOnSignal(stop: Stop): void {
  let stopping = false;
  const onSignal = (signal: NodeJS.Signals) => {
    if (stopping) return;
    stopping = true;
    logger.info({ signal }, 'stopping');
    stop().then(() => process.exit(0), fail);
  };
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
}

/** Says what is wrong in one message and ends with exit code 1. Only what nobody foresaw comes with a stack. */
function fail(error: unknown): void {
  process.stderr.write(`${explain(error)}\n`);
  process.exit(1);
}

function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if ('code' in error && error.code === 'EADDRINUSE') {
    const { port } = error as { port?: number };
    return `Port ${port} is taken by another program. Stop it, or choose another with PORT (the embedded object store: EMBEDDED_STORE_PORT).`;
  }
  return error instanceof ConfigError || error.name === 'StartError'
    ? error.message
    : (error.stack ?? error.message);
}
