import { Injectable } from '@nestjs/common';
import type { Pool, QueryResultRow } from 'pg';
import { DataSource, type EntityManager } from 'typeorm';
import { setTimeout as delay } from 'node:timers/promises';
import { isTransient } from '../common/errors/database-errors.js';

const ATTEMPTS = 5;

/** A query that runs so often that it should be prepared. The name identifies the text on each connection. */
export interface PreparedQuery {
  readonly name: string;
  readonly text: string;
}

/** Transactions that are retried when Postgres requires it, and prepared queries. */
@Injectable()
export class Database {
  constructor(private readonly dataSource: DataSource) {}

  get manager(): EntityManager {
    return this.dataSource.manager;
  }

  /** Only outside of transactions. */
  async find<Row extends QueryResultRow>(query: PreparedQuery, values: unknown[]): Promise<Row[]> {
    const pool = (this.dataSource.driver as unknown as { master: Pool }).master;
    return (await pool.query<Row>({ ...query, values })).rows;
  }

  /** `work` may run several times, so it must have no effects outside the transaction. */
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
