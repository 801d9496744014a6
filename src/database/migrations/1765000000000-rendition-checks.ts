import type { MigrationInterface, QueryRunner } from 'typeorm';

/** One job checks the first renditions of all uploads, instead of a delayed job for each. Jobs that are already queued cover earlier sessions. */
export class RenditionChecks1765000000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE upload_sessions ADD check_renditions_at timestamptz,
        ADD CONSTRAINT upload_sessions_rendition_check CHECK (check_renditions_at IS NULL OR status = 'finalized');
      CREATE INDEX upload_sessions_by_rendition_check ON upload_sessions (check_renditions_at)
        WHERE check_renditions_at IS NOT NULL;
    `);
  }

  /** Missing renditions are then made when they are first requested. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE upload_sessions DROP check_renditions_at');
  }
}
