import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Pool, type PoolClient } from 'pg';
import type { ProblemCode } from '../common/errors/catalogue.js';
import { isTimeout } from '../common/errors/database-errors.js';
import { Problem } from '../common/errors/problem.js';
import { FairLimiter } from '../common/fair-limiter.js';
import { logger } from '../common/logging/logger.js';
import type { Config } from '../config/config.js';
import { InjectConfig } from '../config/config.token.js';
import { readPool } from './data-source-options.js';
import type { Queries } from './queries.js';

/** How any of these queries may fail, besides an outage; for the description of the API. */
export const READ_PROBLEMS = ['query_too_expensive', 'server_busy'] as const satisfies ProblemCode[];

const WAIT_MS = 5_000;
/** Connections that heavy reads never use. */
const LIGHT_ONLY = 2;

/**
 * Queries whose cost depends on how much a client has: listings, searches, counts. They have connections of their own, each
 * client may use only a few of these at once, and each statement ends after a short time. So a client with an enormous library
 * slows down neither writes nor other clients.
 */
@Injectable()
export class Reads implements OnApplicationShutdown {
  private readonly pool: Pool;
  private readonly limiter: FairLimiter;
  /** A heavy read leaves its client room for one light one. */
  private readonly heavyCost: number;

  constructor(@InjectConfig() { database }: Config) {
    const { readPoolSize, readsPerClient } = database;
    this.pool = new Pool(readPool(database));
    // The pool drops a connection that breaks while idle; without a listener the error would end the process.
    this.pool.on('error', (error) => logger.warn({ err: error }, 'lost an idle database connection'));
    this.heavyCost = Math.max(1, readsPerClient - 1);
    this.limiter = new FairLimiter({
      capacity: readPoolSize,
      perClient: readsPerClient,
      background: Math.max(this.heavyCost, readPoolSize - LIGHT_ONLY),
      maxWaitMs: WAIT_MS,
      full: () =>
        new Problem('server_busy', 'Too many searches and listings are running.', { retryAfter: 2 }),
    });
  }

  /** `work` has one connection: its queries run one after the other. A heavy one may have to look at many rows. */
  run<T>(clientId: string, weight: 'light' | 'heavy', work: (queries: Queries) => Promise<T>): Promise<T> {
    const read = async () => {
      const connection = await this.pool.connect();
      let broken: Error | undefined;
      const onError = (error: Error) => (broken = error);
      // It may break between two queries, where no promise would tell; without a listener the error would end the process.
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
    // Light reads go before heavy ones.
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
