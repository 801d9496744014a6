import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { setTimeout as delay } from 'node:timers/promises';
import { isTransient } from '../common/errors/database-errors.js';

const ATTEMPTS = 5;

/** Transactions that are repeated when Postgres asks for it. */
@Injectable()
export class Database {
  constructor(private readonly dataSource: DataSource) {}

  get manager(): EntityManager {
    return this.dataSource.manager;
  }

  /** `work` may run several times: it must have no effect outside the transaction. */
  async transaction<T>(work: (manager: EntityManager) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.dataSource.transaction(work);
      } catch (error) {
        if (!isTransient(error) || attempt >= ATTEMPTS) throw error;
        await delay(Math.random() * 20 * 2 ** attempt);
      }
    }
  }
}
