import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

export interface Enqueue {
  readonly runAt?: Date;
  /** A job with the same key that has not started yet is replaced. */
  readonly key?: string;
}

/** Queues background work inside the caller's transaction: it happens if, and only if, the change does. */
@Injectable()
export class JobQueue {
  async add(
    manager: EntityManager,
    name: string,
    payload: object,
    { runAt, key }: Enqueue = {},
  ): Promise<void> {
    await manager.query(
      'SELECT graphile_worker.add_job($1, $2::json, run_at => $3, job_key => $4, max_attempts => 25)',
      [name, JSON.stringify(payload), runAt ?? null, key ?? null],
    );
  }
}
