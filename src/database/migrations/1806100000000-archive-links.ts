import type { MigrationInterface, QueryRunner } from 'typeorm';

export class ArchiveLinks1806100000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE archive_links (
        id uuid PRIMARY KEY,
        client_id text NOT NULL REFERENCES clients ON DELETE CASCADE,
        actor_id uuid NOT NULL,
        asset_ids uuid[] NOT NULL,
        expires_at timestamptz NOT NULL,
        used_at timestamptz
      );
      CREATE INDEX archive_links_by_actor ON archive_links (actor_id, id);
      CREATE INDEX archive_links_by_end ON archive_links (expires_at);
    `);
  }

  /** Links last ten minutes: requesting another one replaces a lost one. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE archive_links');
  }
}
