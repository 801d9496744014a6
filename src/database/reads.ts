import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { DataSource, EntityManager } from 'typeorm';
import { isTimeout } from '../common/errors/database-errors.js';
import { Problem } from '../common/errors/problem.js';
import type { DatabaseConfig } from '../config/config.js';
import { FairLimiter } from '../common/fair-limiter.js';

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
  private readonly limiter: FairLimiter;
  /** A heavy read leaves its client room for one light one. */
  private readonly heavyCost: number;

  constructor(
    private readonly dataSource: DataSource,
    config: Pick<DatabaseConfig, 'readPoolSize' | 'readsPerClient'>,
  ) {
    const { readPoolSize, readsPerClient } = config;
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
  run<T>(
    clientId: string,
    weight: 'light' | 'heavy',
    work: (manager: EntityManager) => Promise<T>,
  ): Promise<T> {
    const read = async () => {
      const runner = this.dataSource.createQueryRunner();
      try {
        return await work(runner.manager);
      } catch (error) {
        throw isTimeout(error) ? tooExpensive(error) : error;
      } finally {
        await runner.release();
      }
    };
    // Light reads go before heavy ones.
    return weight === 'light'
      ? this.limiter.run({ clientId, priority: 'interactive' }, read)
      : this.limiter.run({ clientId, priority: 'background' }, read, { cost: this.heavyCost });
  }

  async onApplicationShutdown(): Promise<void> {
    await this.dataSource.destroy();
  }
}

function tooExpensive(cause: unknown): Problem {
  return new Problem(
    'query_too_expensive',
    'The query took too long. Open a folder, add a filter, or search for longer or rarer words.',
    { retryAfter: 5, cause },
  );
}
