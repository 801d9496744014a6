import type { MigrationInterface, QueryRunner } from 'typeorm';

const WAITING = `(status = 'queued' OR is_ambiguous AND status <> 'running')`;
const ENDED = `status IN ('delivered', 'failed', 'cancelled')`;

/** The rows of deliveries say what is due, instead of jobs: attempts, and another look at a target after an unknown outcome. */
export class DeliveriesByLease1766600000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- The first look was ten minutes after the end by default, and the last one some hours later.
      UPDATE deliveries SET failures = 0, is_ambiguous = updated_at > now() - interval '1 day',
          next_attempt_at = updated_at + interval '10 minutes'
       WHERE is_ambiguous AND ${ENDED};
      DROP INDEX deliveries_due;
      CREATE INDEX deliveries_due ON deliveries (target_id, next_attempt_at) WHERE ${WAITING};
      CREATE INDEX deliveries_held ON deliveries (target_id) WHERE lease_id IS NOT NULL;
      ALTER TABLE deliveries DROP CONSTRAINT deliveries_running,
        ADD CONSTRAINT deliveries_running CHECK (
          (status <> 'running' OR lease_id IS NOT NULL) AND (lease_id IS NULL OR heartbeat_at IS NOT NULL)) NOT VALID;
    `);
  }

  /** The previous version only finds what is queued as a job. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      UPDATE deliveries SET lease_id = NULL WHERE lease_id IS NOT NULL AND status <> 'running';
      ALTER TABLE deliveries DROP CONSTRAINT deliveries_running,
        ADD CONSTRAINT deliveries_running CHECK (
          (status = 'running') = (lease_id IS NOT NULL) AND (lease_id IS NULL OR heartbeat_at IS NOT NULL));
      DROP INDEX deliveries_held, deliveries_due;
      CREATE INDEX deliveries_due ON deliveries (target_id, next_attempt_at) WHERE status = 'queued';
      DO $$ BEGIN
        IF to_regnamespace('graphile_worker') IS NULL THEN RETURN; END IF;
        PERFORM graphile_worker.add_job('deliver', json_build_object('deliveryId', id, 'targetId', target_id),
            queue_name => 'deliver:' || target_id, run_at => next_attempt_at, job_key => 'deliver:' || id)
          FROM deliveries WHERE status IN ('queued', 'running');
        PERFORM graphile_worker.add_job('settle-delivery', json_build_object('deliveryId', id, 'failures', 0),
            queue_name => 'deliver:' || target_id, run_at => next_attempt_at, job_key => 'settle:' || id)
          FROM deliveries WHERE is_ambiguous AND ${ENDED};
      END $$;
    `);
  }
}
