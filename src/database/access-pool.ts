import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Pool, type QueryResultRow } from 'pg';
import { logger } from '../common/logging/logger.js';
import type { Config } from '../config/config.js';
import { InjectConfig } from '../config/config.token.js';
import { poolOptions } from './data-source-options.js';
import type { PreparedQuery } from './database.js';

const POOL_SIZE = 3;

/**
 * A few connections for what every request needs first: who is calling, and whether the database is available. These queries take a
 * millisecond and must not wait for others that take seconds.
 */
@Injectable()
export class AccessPool implements OnApplicationShutdown {
  private readonly pool: Pool;

  constructor(@InjectConfig() config: Config) {
    this.pool = new Pool(poolOptions(config.database, { name: 'access', max: POOL_SIZE }));
    // The pool removes a connection that fails while idle. Without a listener, the error would end the process.
    this.pool.on('error', (error) => logger.warn({ err: error }, 'lost an idle database connection'));
  }

  /** Planned once per connection. */
  async find<Row extends QueryResultRow>(query: PreparedQuery, values: unknown[] = []): Promise<Row[]> {
    return (await this.pool.query<Row>({ ...query, values })).rows;
  }

  async onApplicationShutdown(): Promise<void> {
    await this.pool.end();
  }
}
