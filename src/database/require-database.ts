import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from 'pg';
import { databaseProblem } from '../common/errors/database-errors.js';
import { StartError } from '../common/errors/start-error.js';
import { logger } from '../common/logging/logger.js';
import type { DatabaseConfig } from '../config/config.js';
import { BoundedClient } from './bounded-client.js';
import { startClient } from './data-source-options.js';

/** Instead of the messages of Node and pg, which are empty for a host with several addresses, or show system calls. */
const REASONS: ReadonlyMap<unknown, string> = new Map([
  ['ECONNREFUSED', 'connection refused'],
  ['ECONNRESET', 'connection reset'],
  ['EAI_AGAIN', 'the host name cannot be resolved'],
  ['ENOTFOUND', 'unknown host'],
  ['EHOSTUNREACH', 'no route to the host'],
  ['ENETUNREACH', 'no route to the host'],
  ['ETIMEDOUT', 'no response'],
]);
const TIMEOUT = /timeout/i;

/**
 * Before anything else uses the database: reports in one sentence why that is not possible. Waits for a database that is still starting;
 * all other failures end the start immediately.
 */
export async function requireDatabase(config: Pick<DatabaseConfig, 'url' | 'waitSeconds'>): Promise<void> {
  let reported = '';
  for (const deadline = Date.now() + config.waitSeconds * 1000; ; await delay(1_000)) {
    const client = new BoundedClient(startClient(config));
    try {
      await client.connect();
      await client.query('SELECT 1');
      return;
    } catch (error) {
      const reason = reasonOf(error);
      if (databaseProblem(error) === null || Date.now() >= deadline)
        throw new StartError(`Cannot connect to the database at ${addressOf(client)}: ${reason}.`, {
          cause: error,
        });
      if (reason === reported) continue;
      reported = reason;
      logger.warn(
        `cannot connect to the database at ${addressOf(client)} (${reason}), retrying for up to ${config.waitSeconds} seconds`,
      );
    } finally {
      client.cut();
    }
  }
}

function addressOf({ host, port }: Client): string {
  return `${host}:${port}`;
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const known = 'code' in error ? REASONS.get(error.code) : undefined;
  return known ?? (TIMEOUT.test(error.message) ? 'no response' : error.message);
}
