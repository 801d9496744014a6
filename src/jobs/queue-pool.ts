import { Pool, type PoolClient } from 'pg';
import type { DatabaseConfig } from '../config/config.js';
import { poolOptions } from '../database/data-source-options.js';

type Connected = (
  error: Error | undefined,
  client: PoolClient | undefined,
  release: (error?: unknown) => void,
) => void;

/** The connections of the queue, separate from those of requests, so that background work never starves them. */
export class QueuePool extends Pool {
  constructor(config: DatabaseConfig, max: number) {
    super(poolOptions(config, { name: 'queue', max }));
  }

  override connect(): Promise<PoolClient>;
  override connect(callback: Connected): void;
  /**
   * graphile-worker (0.18) releases the connection it listens on a second time if that is lost while the queue stops: both its shutdown and
   * its error handler do. pg throws then, and the error would end the process.
   */
  override connect(callback?: Connected): Promise<PoolClient> | void {
    if (callback === undefined) return super.connect();
    super.connect((error, client, release) => {
      // pg then passes no function either.
      if (client === undefined) return callback(error, client, release);
      let isReleased = false;
      callback(error, client, (failure) => {
        if (!isReleased) release(failure);
        isReleased = true;
      });
    });
  }
}
