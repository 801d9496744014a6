import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Uploads of ended sessions are deleted in batches, instead of by two jobs for each. Queued jobs still delete those of earlier sessions. */
export class UploadDeletion1764900000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE upload_sessions ADD delete_upload_at timestamptz,
        ADD CONSTRAINT upload_sessions_upload_deletion
          CHECK (delete_upload_at IS NULL OR status NOT IN ('pending', 'finalizing'));
      CREATE INDEX upload_sessions_by_upload_deletion ON upload_sessions (delete_upload_at)
        WHERE delete_upload_at IS NOT NULL;
    `);
  }

  /** The daily reconciliation finds the uploads that were still to be deleted. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE upload_sessions DROP delete_upload_at');
  }
}
