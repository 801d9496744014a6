import type { MigrationInterface, QueryRunner } from 'typeorm';

const RETIRED = [
  'check-renditions',
  'forget-job-queues',
  'forget-sign-ins',
  'forget-upload-sessions',
  'give-back-jobs',
];

/** Ends queued jobs of tasks that no longer exist or have another name: they would wait forever. Their successors are scheduled anyway. */
export class RetiredJobs1805700000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const [queue] = (await runner.query(`SELECT to_regnamespace('graphile_worker') AS schema`)) as {
      schema: string | null;
    }[];
    if (queue!.schema === null) return;
    await runner.query(
      `SELECT graphile_worker.complete_jobs(ARRAY(
         SELECT id FROM graphile_worker.jobs WHERE task_identifier = ANY($1)))`,
      [RETIRED],
    );
  }

  down(): Promise<void> {
    return Promise.resolve();
  }
}
