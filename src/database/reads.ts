import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Pool, type PoolClient } from 'pg';
import type { ProblemCode } from '../common/errors/catalogue.js';
import { isTimeout } from '../common/errors/database-errors.js';
import { Problem } from '../common/errors/problem.js';
import { FairLimiter } from '../common/fair-limiter.js';
import { logger } from '../common/logging/logger.js';
import type { Config } from '../config/config.js';
import { InjectConfig } from '../config/config.token.js';
import { poolOptions } from './data-source-options.js';
import type { Queries } from './queries.js';

/** How these queries can fail, in addition to an outage; for the OpenAPI document. */
export const READ_PROBLEMS = ['query_too_expensive', 'server_busy'] as const satisfies ProblemCode[];

const WAIT_MS = 5_000;
/** Connections that one client may use at the same time. */
const PER_CLIENT = 4;
/** Connections that are reserved for light reads. */
const LIGHT_ONLY = 2;
/**
 * Tables contain the rows of all clients, so a sequential scan is never the best plan. JIT compilation costs more than it gains for a few
 * thousand rows. A search uses one core and leaves the others to everyone else.
 */
const SETTINGS = { jit: 'off', enable_seqscan: 'off', max_parallel_workers_per_gather: 0 };

/**
 * Queries whose cost depends on how much a client has: listings, searches, counts. They have separate connections, each client may use only
 * a few of them at the same time, and each statement has a short timeout. A client with a huge library therefore slows down neither writes
 * nor other clients.
 */
@Injectable()
export class Reads implements OnApplicationShutdown {
  private readonly pool: Pool;
  private readonly limiter: FairLimiter;
  /** A heavy read leaves its client room for one light read. */
  private readonly heavyCost: number;

  constructor(@InjectConfig() { database }: Config) {
    const { readPoolSize } = database;
    const perClient = Math.min(PER_CLIENT, readPoolSize);
    this.pool = new Pool(
      poolOptions(database, {
        name: 'reads',
        max: readPoolSize,
        timeoutSeconds: Math.min(database.readTimeoutSeconds, database.timeoutSeconds),
        settings: SETTINGS,
      }),
    );
    // The pool removes a connection that fails while idle. Without a listener, the error would end the process.
    this.pool.on('error', (error) => logger.warn({ err: error }, 'lost an idle database connection'));
    this.heavyCost = perClient - 1;
    this.limiter = new FairLimiter({
      capacity: readPoolSize,
      perClient,
      background: Math.max(this.heavyCost, readPoolSize - LIGHT_ONLY),
      maxWaitMs: WAIT_MS,
      full: () =>
        new Problem('server_busy', 'Too many searches and listings are running.', { retryAfter: 2 }),
    });
  }

  /** `work` has one connection, so its queries run one after the other. A heavy read may have to look at many rows. */
  run<T>(clientId: string, weight: 'light' | 'heavy', work: (queries: Queries) => Promise<T>): Promise<T> {
    const read = async () => {
      const connection = await this.pool.connect();
      let broken: Error | undefined;
      const onError = (error: Error) => (broken = error);
      // The connection may fail between two queries, when no promise would report it. Without a listener, the error would end the process.
      connection.on('error', onError);
      try {
        return await work(queriesOn(connection));
      } catch (error) {
        throw isTimeout(error) ? tooExpensive(error) : error;
      } finally {
        connection.off('error', onError);
        connection.release(broken);
      }
    };
    // Light reads take precedence over heavy ones.
    return weight === 'light'
      ? this.limiter.run({ clientId, priority: 'interactive' }, read)
      : this.limiter.run({ clientId, priority: 'background' }, read, { cost: this.heavyCost });
  }

  async onApplicationShutdown(): Promise<void> {
    await this.pool.end();
  }
}

function queriesOn(connection: PoolClient): Queries {
  return {
    query: async <Rows>(text: string, values?: unknown[], name?: string) =>
      (await connection.query({ text, values, name })).rows as Rows,
  };
}

function tooExpensive(cause: unknown): Problem {
  return new Problem(
    'query_too_expensive',
    'The query took too long. Open a folder, add a filter, or search for longer or rarer words.',
    { retryAfter: 5, cause },
  );
}
