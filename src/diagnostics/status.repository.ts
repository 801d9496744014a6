import { Injectable } from '@nestjs/common';
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
  constructor(private readonly access: AccessPool) {}

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
}
