import 'reflect-metadata';
import { readConfig } from './config/config.js';
import { readEnvironment } from './config/environment.js';
import { runProcess } from './process/run-process.js';

/** The API process, on the configured database and store, or on embedded ones if nothing is configured. */
await runProcess(async () => {
  const config = readConfig(readEnvironment());
  // Loaded late, so that an invalid setting is reported immediately and a configured service never loads the embedded code.
  const { serve, serveOn } = await import('./process/serve.js');
  const { configureLogger } = await import('./common/logging/logger.js');
  if (!config.embedded) {
    configureLogger(config.logLevel);
    return serve(config);
  }
  const { startEmbedded } = await import('./embedded/start-embedded.js');
  return serveOn(await startEmbedded(config));
});
