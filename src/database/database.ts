import { Injectable } from '@nestjs/common';
import type { Pool, QueryResultRow } from 'pg';
import { DataSource, type EntityManager } from 'typeorm';
import { setTimeout as delay } from 'node:timers/promises';
import { isTransient } from '../common/errors/database-errors.js';

const ATTEMPTS = 5;

/** A query that is made so often that it should be planned once. The name stands for the text on each connection. */
export interface PreparedQuery {
  readonly name: string;
  readonly text: string;
}

/** Transactions that are repeated when Postgres asks for it, and queries that are planned only once. */
@Injectable()
export class Database {
  constructor(private readonly dataSource: DataSource) {}

  get manager(): EntityManager {
    return this.dataSource.manager;
  }

  /** Outside of transactions only. */
  async find<Row extends QueryResultRow>(query: PreparedQuery, values: unknown[]): Promise<Row[]> {
    const pool = (this.dataSource.driver as unknown as { master: Pool }).master;
    return (await pool.query<Row>({ ...query, values })).rows;
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
