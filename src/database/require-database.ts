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
const STATEMENT_MODE = /statement pooling/;
const NO_SESSIONS =
  'a connection pooler there does not keep sessions; set it to session mode (PgBouncer: pool_mode = session) or connect directly';

/**
 * Before anything else uses the database: reports in one sentence why that is not possible. Waits for a database that is still starting;
 * all other failures end the start immediately.
 */
export async function requireDatabase(config: Pick<DatabaseConfig, 'url' | 'waitSeconds'>): Promise<void> {
  const reported = new Set<string>();
  for (const deadline = Date.now() + config.waitSeconds * 1000; ; await delay(1_000)) {
    const client = new BoundedClient(startClient(config));
    const other = new BoundedClient(startClient(config));
    try {
      await client.connect();
      if (await keepsSessions(client, other)) return;
      throw new Error(NO_SESSIONS);
    } catch (error) {
      const reason = reasonOf(error);
      if (databaseProblem(error) === null || Date.now() >= deadline)
        throw new StartError(`Cannot connect to the database at ${addressOf(client)}: ${reason}.`, {
          cause: error,
        });
      if (reported.has(reason)) continue;
      reported.add(reason);
      logger.warn(
        `cannot connect to the database at ${addressOf(client)} (${reason}), retrying for up to ${config.waitSeconds} seconds`,
      );
    } finally {
      client.cut();
      other.cut();
    }
  }
}

/**
 * Listening, advisory locks, settings and prepared statements belong to a session. A pooler that gives each transaction any of its
 * connections shows itself when two clients get the same one, or one client another.
 */
async function keepsSessions(client: Client, other: Client): Promise<boolean> {
  const first = await backendOf(client);
  if ((await backendOf(client)) !== first) return false;
  await other.connect();
  try {
    await other.query('BEGIN');
  } catch (error) {
    if (error instanceof Error && STATEMENT_MODE.test(error.message)) return false;
    throw error;
  }
  const isShared = (await backendOf(other)) === first || (await backendOf(client)) !== first;
  await other.query('ROLLBACK');
  return !isShared;
}

async function backendOf(client: Client): Promise<number> {
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  return rows[0]!.pid;
}

function addressOf({ host, port }: Client): string {
  return `${host}:${port}`;
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const known = 'code' in error ? REASONS.get(error.code) : undefined;
  return known ?? (TIMEOUT.test(error.message) ? 'no response' : error.message);
}
