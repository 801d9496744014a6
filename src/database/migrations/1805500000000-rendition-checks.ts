import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A delayed job of each upload replaces the checks for missing renditions. */
export class RenditionChecks1805500000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE upload_sessions DROP COLUMN check_renditions_at`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE upload_sessions ADD COLUMN check_renditions_at timestamptz,
        ADD CONSTRAINT upload_sessions_rendition_check CHECK (check_renditions_at IS NULL OR status = 'finalized');
      CREATE INDEX upload_sessions_by_rendition_check ON upload_sessions (check_renditions_at)
        WHERE check_renditions_at IS NOT NULL;
    `);
  }
}
