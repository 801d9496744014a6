import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Counts failed attempts to finalize a session that were the caller's fault. */
export class UploadAttempts1763800000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE upload_sessions ADD COLUMN failed_attempts integer NOT NULL DEFAULT 0`);
  }

  /** Resets the count for open sessions; sessions that were rejected after too many attempts stay rejected. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE upload_sessions DROP COLUMN failed_attempts`);
  }
}
