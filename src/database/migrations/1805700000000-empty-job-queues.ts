import type { MigrationInterface, QueryRunner } from 'typeorm';

/** There was a queue for each client and each target. Now clients share some, and whoever looks for a job would pass all of the empty ones. */
export class EmptyJobQueues1805700000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DO $$ BEGIN
        IF to_regclass('graphile_worker._private_job_queues') IS NOT NULL THEN
          DELETE FROM graphile_worker._private_job_queues queues WHERE locked_at IS NULL
            AND NOT EXISTS (SELECT FROM graphile_worker._private_jobs jobs WHERE jobs.job_queue_id = queues.id);
        END IF;
      END $$`);
  }

  down(): Promise<void> {
    return Promise.resolve();
  }
}
