import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

export interface Enqueue {
  readonly delaySeconds?: number;
  /** Jobs with a smaller number run first. Defaults to 0. */
  readonly priority?: number;
  /** Replaces a job with the same key that has not started yet. */
  readonly key?: string;
  /** Jobs of the same queue run one at a time, across all processes. */
  readonly queue?: string;
}

export interface QueuedJob extends Enqueue {
  readonly name: string;
  readonly payload: object;
}

/** All in one call: each call wakes all workers, which then look for a job. */
const ADD = `SELECT count(*) FROM graphile_worker.add_jobs(ARRAY(
    SELECT ROW (name, payload, queue, clock_timestamp() + make_interval(secs => "delaySeconds"), 25, key,
        coalesce(priority, 0), NULL)::graphile_worker.job_spec
      FROM json_to_recordset($1::json) AS job (name text, payload json, "delaySeconds" int, key text,
        queue text, priority int)))`;

/** Queues background jobs in the caller's transaction, so that a job runs if and only if the change is committed. */
@Injectable()
export class JobQueue {
  /** At least one job; keys must differ. */
  async add(manager: EntityManager, ...jobs: QueuedJob[]): Promise<void> {
    await manager.query(ADD, [JSON.stringify(jobs)]);
  }
}
