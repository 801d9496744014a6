import { logger } from './common/logging/logger.js';
import { ConfigError } from './config/environment-reader.js';

export type Stop = () => Promise<void>;

/** Ends the process in order on SIGINT or SIGTERM: at once while it is still starting, later by what the answer is called with. */
export function stopOnSignal(): (stop: Stop) => void {
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

/** Says what is wrong in one message and ends with exit code 1. Only what nobody foresaw comes with a stack. */
export function fail(error: unknown): void {
  process.stderr.write(`${explain(error)}\n`);
  process.exit(1);
}

function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if ('code' in error && error.code === 'EADDRINUSE') {
    const { port } = error as { port?: number };
    return `Port ${port} is taken by another program. Stop it, or choose another with PORT (the embedded object store: EMBEDDED_STORE_PORT, metrics: METRICS_PORT).`;
  }
  return error instanceof ConfigError || error.name === 'StartError'
    ? error.message
    : (error.stack ?? error.message);
}
