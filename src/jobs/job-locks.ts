import { Injectable } from '@nestjs/common';
import type { Pool } from 'pg';
import { Database } from '../database/database.js';

/** An arbitrary number shared by all processes of this service. */
const SIGN_OF_LIFE = 4_217_004;

/** The queue itself would wait for hours before it takes a job from a worker that died. */
@Injectable()
export class JobLocks {
  constructor(private readonly database: Database) {}

  /** The worker is alive as long as this connection is. The returned function ends both. */
  async startHeartbeat(pool: Pool, workerId: string, onLoss: () => unknown): Promise<() => void> {
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

  /** Jobs that the worker still holds after it has ended, for example one that it was handed at that moment. */
  async returnJobs(workerId: string): Promise<void> {
    await this.database.manager.query('SELECT graphile_worker.force_unlock_workers($1)', [[workerId]]);
  }

  /** Jobs of workers without a heartbeat. A worker that just lost its connection gets time to reconnect. */
  async returnAbandonedJobs(): Promise<void> {
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
}
