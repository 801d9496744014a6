import { Injectable } from '@nestjs/common';
import type { Pool } from 'pg';
import { DataSource } from 'typeorm';
import { AccessPool } from '../database/access-pool.js';
import { withDatabaseTimeout } from './with-database-timeout.js';
import type { DatabaseState, QueueState } from './status.dto.js';

const PING = { name: 'ping', text: 'SELECT 1' };

const QUEUE_IS_DELAYED = {
  name: 'queue-is-delayed',
  // Jobs of one queue run one at a time, so jobs that wait for their turn, for example at a slow target, are not delayed.
  text: `SELECT EXISTS (SELECT 1 FROM graphile_worker.jobs
           WHERE locked_at IS NULL AND attempts < max_attempts AND run_at < now() - interval '5 minutes'
             AND NOT EXISTS (SELECT 1 FROM graphile_worker.jobs AS running
                              WHERE running.queue_name = jobs.queue_name AND running.locked_at IS NOT NULL)) AS delayed`,
};

@Injectable()
export class StatusRepository {
  constructor(
    private readonly access: AccessPool,
    private readonly dataSource: DataSource,
  ) {}

  async databaseState(): Promise<DatabaseState> {
    try {
      await withDatabaseTimeout(this.access.find(PING));
      return 'ok';
    } catch {
      return 'unreachable';
    }
  }

  /** Delayed: a job has been due for minutes and no worker runs it. */
  async queueState(): Promise<QueueState> {
    try {
      const [row] = await withDatabaseTimeout(this.access.find<{ delayed: boolean }>(QUEUE_IS_DELAYED));
      return row!.delayed ? 'delayed' : 'ok';
    } catch {
      return 'unreachable';
    }
  }

  /** For the metrics. If the database is unreachable, the others are still useful. */
  async queueLength(): Promise<{ jobs: number; oldestSeconds: number }> {
    try {
      const [row] = await withDatabaseTimeout(
        this.dataSource.query<{ jobs: string; oldest: string | null }[]>(
          `SELECT count(*) AS jobs, extract(epoch FROM now() - min(run_at) FILTER (WHERE run_at < now())) AS oldest
             FROM graphile_worker.jobs WHERE locked_at IS NULL AND attempts < max_attempts`,
        ),
      );
      return { jobs: Number(row!.jobs), oldestSeconds: Number(row!.oldest ?? 0) };
    } catch {
      return { jobs: Number.NaN, oldestSeconds: Number.NaN };
    }
  }

  poolState(): { total: number; idle: number; waiting: number } {
    const pool = (this.dataSource.driver as unknown as { master: Pool }).master;
    return { total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount };
  }
}
