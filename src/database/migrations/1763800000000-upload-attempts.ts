import type { MigrationInterface, QueryRunner } from 'typeorm';

/** How often finalizing a session failed by the caller's fault. */
export class UploadAttempts1763800000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE upload_sessions ADD COLUMN failed_attempts integer NOT NULL DEFAULT 0`);
  }

  /** Open sessions get their attempts back; sessions rejected for too many stay rejected. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE upload_sessions DROP COLUMN failed_attempts`);
  }
}
