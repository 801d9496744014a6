import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Ended upload sessions are deleted after a while; their assets stay. */
export class UploadSessionRetention1763900000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE assets DROP CONSTRAINT assets_session_fkey;
      CREATE INDEX upload_sessions_by_end ON upload_sessions (expires_at)
        WHERE status IN ('finalized', 'rejected', 'cancelled', 'expired');
      -- For the sweeper: which session wrote an object.
      CREATE INDEX upload_sessions_by_asset ON upload_sessions (asset_id);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    const [row] = (await runner.query(
      'SELECT EXISTS (SELECT FROM assets a WHERE NOT EXISTS (SELECT FROM upload_sessions s WHERE s.id = a.session_id)) AS gone',
    )) as { gone: boolean }[];
    if (row!.gone)
      throw new Error(
        'Cannot revert: upload sessions of existing assets have been deleted, and the previous schema requires them.',
      );
    await runner.query(`
      DROP INDEX upload_sessions_by_end, upload_sessions_by_asset;
      ALTER TABLE assets ADD CONSTRAINT assets_session_fkey
        FOREIGN KEY (client_id, session_id) REFERENCES upload_sessions (client_id, id);
    `);
  }
}
