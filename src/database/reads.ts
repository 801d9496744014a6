import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { DataSource, EntityManager } from 'typeorm';
import { isTimeout } from '../common/errors/database-errors.js';
import { Problem } from '../common/errors/problem.js';
import type { DatabaseConfig } from '../config/config.js';
import { ClientSlots } from './client-slots.js';

const WAIT_MS = 5_000;

/**
 * Queries whose cost depends on how much a client has: listings, searches, counts. They have connections of their own, each
 * client may use only a few of these at once, and each statement ends after a short time. So a client with an enormous library
 * slows down neither writes nor other clients.
 */
@Injectable()
export class Reads implements OnApplicationShutdown {
  private readonly slots: ClientSlots;

  constructor(
    private readonly dataSource: DataSource,
    config: Pick<DatabaseConfig, 'readsPerClient'>,
  ) {
    this.slots = new ClientSlots(config.readsPerClient, WAIT_MS);
  }

  /** `work` has one connection: its queries run one after the other. */
  run<T>(clientId: string, work: (manager: EntityManager) => Promise<T>): Promise<T> {
    return this.slots.use(clientId, async () => {
      const runner = this.dataSource.createQueryRunner();
      try {
        return await work(runner.manager);
      } catch (error) {
        throw isTimeout(error) ? tooExpensive(error) : error;
      } finally {
        await runner.release();
      }
    });
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
