import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

export interface Enqueue {
  readonly runAt?: Date;
  /** A job with the same key that has not started yet is replaced. */
  readonly key?: string;
  /** Jobs of the same queue run one after the other, in whatever process. */
  readonly queue?: string;
}

export interface QueuedJob extends Enqueue {
  readonly name: string;
  readonly payload: object;
}

/** Queues background work inside the caller's transaction: it happens if, and only if, the change does. */
@Injectable()
export class JobQueue {
  async add(manager: EntityManager, ...jobs: QueuedJob[]): Promise<void> {
    const rows = jobs.map(({ name, payload, runAt, key, queue }) => ({ name, payload, runAt, key, queue }));
    await manager.query(
      `SELECT graphile_worker.add_job(name, payload, run_at => "runAt", job_key => key, queue_name => queue, max_attempts => 25)
         FROM json_to_recordset($1::json) AS job (name text, payload json, "runAt" timestamptz, key text, queue text)`,
      [JSON.stringify(rows)],
    );
  }
}
