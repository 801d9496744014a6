import { Injectable } from '@nestjs/common';
import type { Pool } from 'pg';
import { DataSource } from 'typeorm';
import { withDatabaseTimeout } from '../with-database-timeout.js';

@Injectable()
export class MetricsRepository {
  constructor(private readonly dataSource: DataSource) {}

  poolState(): { total: number; idle: number; waiting: number } {
    const pool = (this.dataSource.driver as unknown as { master: Pool }).master;
    return { total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount };
  }

  /** If the database is unreachable, the other metrics are still useful. */
  async queueState(): Promise<{ jobs: number; oldestSeconds: number }> {
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
}
