import { Injectable } from '@nestjs/common';
import { setTimeout as delay } from 'node:timers/promises';
import { DataSource } from 'typeorm';
import type { DatabaseState, QueueState } from './status.dto.js';

/** Whoever asks how we are wants an answer soon, also when the database has none. */
const PATIENCE_MS = 3_000;

@Injectable()
export class StatusRepository {
  constructor(private readonly dataSource: DataSource) {}

  async databaseState(): Promise<DatabaseState> {
    try {
      await inTime(this.dataSource.query('SELECT 1'));
      return 'ok';
    } catch {
      return 'unreachable';
    }
  }

  /** Delayed: something has been due for minutes and nobody works on it. */
  async queueState(): Promise<QueueState> {
    try {
      const [row] = await inTime(
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

async function inTime<T>(answer: Promise<T>): Promise<T> {
  const end = new AbortController();
  const late = delay(PATIENCE_MS, undefined, { signal: end.signal }).then(() => {
    throw new Error('The database did not answer in time.');
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    late.catch(() => undefined);
    answer.catch(() => undefined);
    end.abort();
  }
}
