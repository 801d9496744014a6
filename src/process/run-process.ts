import { logger } from '../common/logging/logger.js';
import { StartError } from '../common/errors/start-error.js';
import { ConfigError } from '../config/environment-reader.js';
import { freeBuffersEarly } from './stream-memory.js';

export type Stop = () => Promise<void>;

/** Starts a process, or reports why it cannot start. `start` returns the function that stops it. */
export async function runProcess(start: () => Promise<Stop>): Promise<void> {
  freeBuffersEarly();
  const onceRunning = stopOnSignal();
  try {
    onceRunning(await start());
  } catch (error) {
    fail(error);
  }
}

/**
 * Shuts the process down on SIGINT or SIGTERM: immediately while it is starting, later with the function passed to the returned callback.
 */
function stopOnSignal(): (stop: Stop) => void {
  let stop: Stop = () => Promise.resolve();
  let stopping = false;
  const onSignal = (signal: NodeJS.Signals) => {
    if (stopping) return;
    stopping = true;
    logger.info({ signal }, 'stopping');
    stop().then(() => process.exit(0), fail);
  };
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
  return (running) => (stop = running);
}

/** Prints one message and exits with code 1. Only unexpected errors include a stack. */
function fail(error: unknown): void {
  process.stderr.write(`${explain(error)}\n`);
  process.exit(1);
}

function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if ('code' in error && error.code === 'EADDRINUSE') {
    const { port } = error as { port?: number };
    return `Port ${port} is in use by another program. Stop it, or choose another port with PORT (for the embedded object store: EMBEDDED_STORE_PORT; for metrics: METRICS_PORT).`;
  }
  return error instanceof ConfigError || error instanceof StartError
    ? error.message
    : (error.stack ?? error.message);
}
