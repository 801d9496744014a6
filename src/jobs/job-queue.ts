import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Database } from '../database/database.js';

export interface Enqueue {
  readonly runAt?: Date;
  /** By the database's clock, as `runAt` is compared. */
  readonly delaySeconds?: number;
  /** Jobs with a smaller number run first; 0 when absent. */
  readonly priority?: number;
  /** A job with the same key that has not started yet is replaced. */
  readonly key?: string;
  /** Jobs of the same queue run one after the other, in whatever process. */
  readonly queue?: string;
}

export interface QueuedJob extends Enqueue {
  readonly name: string;
  readonly payload: object;
}

const REMOVE = { name: 'remove-job', text: 'SELECT graphile_worker.remove_job($1)' };

/** Queues background work inside the caller's transaction: it happens if, and only if, the change does. */
@Injectable()
export class JobQueue {
  constructor(private readonly database: Database) {}

  async add(manager: EntityManager, ...jobs: QueuedJob[]): Promise<void> {
    await manager.query(
      `SELECT graphile_worker.add_job(name, payload, queue_name => queue, job_key => key, max_attempts => 25,
           priority => coalesce(priority, 0),
           run_at => coalesce("runAt", clock_timestamp() + make_interval(secs => "delaySeconds")))
         FROM json_to_recordset($1::json) AS job (name text, payload json, "runAt" timestamptz, "delaySeconds" int, key text,
           queue text, priority int)`,
      [JSON.stringify(jobs)],
    );
  }

  /** Of a job that is no longer needed, and may have run already. `manager`: if, and only if, the transaction succeeds. */
  async remove(key: string, manager?: EntityManager): Promise<void> {
    if (manager) await manager.query(REMOVE.text, [key]);
    else await this.database.find(REMOVE, [key]);
  }
}
