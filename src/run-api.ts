import { readConfig } from './config/config.js';
import { readEnvironment } from './config/environment.js';
import { fail, stopOnSignal } from './process-life.js';

/** Starts the API process: on the configured database and store, or on embedded ones when nothing is configured. */
export async function runApi(): Promise<void> {
  const onceRunning = stopOnSignal();
  try {
    const config = readConfig(readEnvironment());
    // Loaded only now: a wrong setting is reported at once, and a configured service never touches the embedded code.
    const run = config.embedded
      ? (await import('./embedded/run-embedded.js')).runEmbedded
      : (await import('./run-configured.js')).runConfigured;
    onceRunning(await run(config));
  } catch (error) {
    fail(error);
  }
}
