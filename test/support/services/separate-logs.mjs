/** Gives each service of this process its own log, although they share the logger. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { openSync, writeSync } from 'node:fs';
import { configureLogger } from '../../../dist/src/common/logging/logger.js';

const STDOUT = 1;
/** The file of the service that the current code belongs to. */
const current = new AsyncLocalStorage();

configureLogger('info', { write: (line) => writeSync(current.getStore() ?? STDOUT, line) });

/** Runs `start`. What it logs, and everything that it starts, is appended to the file. */
export function withLog(path, start) {
  // Never closed: a service may still log after it has stopped.
  return current.run(openSync(path, 'a'), start);
}
