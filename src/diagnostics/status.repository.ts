import { Injectable } from '@nestjs/common';
import { AccessPool } from '../database/access-pool.js';
import { databaseInTime } from './database-in-time.js';
import type { DatabaseState, QueueState } from './status.dto.js';

const PING = { name: 'ping', text: 'SELECT 1' };

const QUEUE_IS_DELAYED = {
  name: 'queue-is-delayed',
  text: `SELECT EXISTS (SELECT 1 FROM graphile_worker.jobs
           WHERE locked_at IS NULL AND attempts < max_attempts AND run_at < now() - interval '5 minutes') AS delayed`,
};

@Injectable()
export class StatusRepository {
  constructor(private readonly access: AccessPool) {}

  async databaseState(): Promise<DatabaseState> {
    try {
      await databaseInTime(this.access.find(PING));
      return 'ok';
    } catch {
      return 'unreachable';
    }
  }

  /** Delayed: something has been due for minutes and nobody works on it. */
  async queueState(): Promise<QueueState> {
    try {
      const [row] = await databaseInTime(this.access.find<{ delayed: boolean }>(QUEUE_IS_DELAYED));
      return row!.delayed ? 'delayed' : 'ok';
    } catch {
      return 'unreachable';
    }
  }
}
