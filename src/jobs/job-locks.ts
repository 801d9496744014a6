import { Injectable } from '@nestjs/common';
import type { Pool } from 'pg';
import { Database } from '../database/database.js';

/** An arbitrary number that every process of this service agrees on. */
const SIGN_OF_LIFE = 4_217_004;

/** The queue itself would wait for hours before it takes a job away from a worker that died. */
@Injectable()
export class JobLocks {
  constructor(private readonly database: Database) {}

  /** As long as this connection lives, so does the worker. The answer ends both. */
  async showLife(pool: Pool, workerId: string, onLoss: () => unknown): Promise<() => void> {
    const client = await pool.connect();
    let released = false;
    const release = () => {
      if (!released) client.release(true);
      released = true;
    };
    client.once('error', () => {
      release();
      onLoss();
    });
    try {
      await client.query('SELECT pg_advisory_lock_shared($1, hashtext($2))', [SIGN_OF_LIFE, workerId]);
    } catch (error) {
      release();
      throw error;
    }
    return release;
  }

  /** What the worker still holds after its end, such as a job that it was handed just then. */
  async giveBack(workerId: string): Promise<void> {
    await this.database.manager.query('SELECT graphile_worker.force_unlock_workers($1)', [[workerId]]);
  }

  /** Jobs of workers that show no sign of life. A worker that just lost its connection gets time to come back. */
  async giveBackAbandoned(): Promise<void> {
    await this.database.manager.query(
      `SELECT graphile_worker.force_unlock_workers(array_agg(DISTINCT locked_by))
         FROM graphile_worker.jobs
        WHERE locked_at < now() - interval '1 minute'
          AND NOT EXISTS (
            SELECT 1 FROM pg_locks
             WHERE locktype = 'advisory' AND classid = $1 AND objid = (hashtext(locked_by)::bigint & 4294967295)::oid
               AND database = (SELECT oid FROM pg_database WHERE datname = current_database()))
       HAVING count(*) > 0`,
      [SIGN_OF_LIFE],
    );
  }

  /**
   * Deletes the rows of queues without jobs. The lock waits for transactions that are adding jobs, and keeps others from adding
   * any meanwhile: a job never refers to a queue that is gone.
   */
  async forgetEmptyQueues(): Promise<void> {
    await this.database.transaction(async (manager) => {
      await manager.query(`SET LOCAL lock_timeout = '2s'`);
      await manager.query('LOCK TABLE graphile_worker._private_job_queues IN SHARE ROW EXCLUSIVE MODE');
      await manager.query(
        `DELETE FROM graphile_worker._private_job_queues queues
          WHERE locked_at IS NULL
            AND NOT EXISTS (SELECT 1 FROM graphile_worker._private_jobs WHERE job_queue_id = queues.id)`,
      );
    });
  }
}
