import type { MigrationInterface, QueryRunner } from 'typeorm';

/** For the natural order of titles and for filters that match few assets. Assets stay readable until the old indexes are dropped, at the end. */
export class ListingIndexes1806000000002 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE assets VALIDATE CONSTRAINT assets_created_by_kind_check;
      CREATE INDEX assets_by_creator ON assets (client_id, created_by_kind, created_by_id, folder_id)
        WHERE batch_id IS NULL AND created_by_kind IS NOT NULL;
      CREATE INDEX assets_without_alt_text ON assets (client_id, folder_id) WHERE batch_id IS NULL AND alt_text = '';
      CREATE INDEX assets_copies ON assets (client_id, sha256) WHERE is_copy;
      CREATE INDEX assets_by_taken ON assets (client_id, taken_at) WHERE batch_id IS NULL AND taken_at IS NOT NULL;
      CREATE INDEX assets_by_shape ON assets (client_id,
          (CASE WHEN width > height * 1.02 THEN 'landscape' WHEN height > width * 1.02 THEN 'portrait' ELSE 'square' END), folder_id, width, height)
        WHERE batch_id IS NULL;

      ALTER INDEX assets_by_title RENAME TO assets_by_lower_title;
      ALTER INDEX assets_by_folder_title RENAME TO assets_by_folder_lower_title;
      CREATE INDEX assets_by_title ON assets (client_id, title_key, id) INCLUDE (folder_id) WHERE batch_id IS NULL;
      CREATE INDEX assets_by_folder_title ON assets (client_id, folder_id, title_key, id) WHERE batch_id IS NULL;
      DROP INDEX assets_by_lower_title, assets_by_folder_lower_title;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP INDEX assets_by_creator, assets_without_alt_text, assets_copies, assets_by_taken, assets_by_shape, assets_by_title, assets_by_folder_title;
      CREATE INDEX assets_by_folder_title ON assets (client_id, folder_id, lower(title), id) WHERE batch_id IS NULL;
      CREATE INDEX assets_by_title ON assets (client_id, lower(title), id) INCLUDE (folder_id) WHERE batch_id IS NULL;
    `);
  }
}
