import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { databaseInTime } from './database-in-time.js';
import type { DatabaseState, QueueState } from './status.dto.js';

@Injectable()
export class StatusRepository {
  constructor(private readonly dataSource: DataSource) {}

  async databaseState(): Promise<DatabaseState> {
    try {
      await databaseInTime(this.dataSource.query('SELECT 1'));
      return 'ok';
    } catch {
      return 'unreachable';
    }
  }

  /** Delayed: something has been due for minutes and nobody works on it. */
  async queueState(): Promise<QueueState> {
    try {
      const [row] = await databaseInTime(
        this.dataSource.query<{ delayed: boolean }[]>(
          `SELECT EXISTS (SELECT 1 FROM graphile_worker.jobs
             WHERE locked_at IS NULL AND attempts < max_attempts AND run_at < now() - interval '5 minutes') AS delayed`,
        ),
      );
      return row!.delayed ? 'delayed' : 'ok';
    } catch {
      return 'unreachable';
    }
  }
}
