import type { MigrationInterface, QueryRunner } from 'typeorm';
import { requireEmpty } from '../require-empty.js';

export class Library1763200000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE EXTENSION IF NOT EXISTS pg_trgm;
      CREATE EXTENSION IF NOT EXISTS btree_gin;

      -- What was trashed together is restored, or purged, together.
      CREATE TABLE trash_batches (
        id uuid PRIMARY KEY,
        client_id text NOT NULL REFERENCES clients,
        folder_id uuid,
        asset_id uuid,
        name text NOT NULL,
        folders integer NOT NULL,
        assets integer NOT NULL,
        trashed_by text NOT NULL,
        trashed_at timestamptz NOT NULL DEFAULT now(),
        purging_since timestamptz,
        CONSTRAINT trash_batches_client_id_id_key UNIQUE (client_id, id)
      );
      CREATE INDEX trash_batches_by_client ON trash_batches (client_id, id DESC) WHERE purging_since IS NULL;
      CREATE INDEX trash_batches_by_age ON trash_batches (trashed_at) WHERE purging_since IS NULL;

      -- batch_id null = live.
      ALTER TABLE folders
        ADD COLUMN batch_id uuid,
        ADD CONSTRAINT folders_batch_fkey FOREIGN KEY (client_id, batch_id) REFERENCES trash_batches (client_id, id),
        ADD CONSTRAINT folders_system_are_live CHECK (system_key IS NULL OR batch_id IS NULL),
        DROP CONSTRAINT folders_parent_fkey,
        ADD CONSTRAINT folders_parent_fkey FOREIGN KEY (client_id, parent_id) REFERENCES folders (client_id, id)
          ON DELETE SET NULL (parent_id);
      DROP INDEX folders_name_key;
      CREATE UNIQUE INDEX folders_name_key ON folders (client_id, parent_id, name_key) NULLS NOT DISTINCT WHERE batch_id IS NULL;
      CREATE INDEX folders_by_parent ON folders (client_id, parent_id);
      CREATE INDEX folders_by_batch ON folders (client_id, batch_id) WHERE batch_id IS NOT NULL;

      ALTER TABLE upload_sessions
        DROP CONSTRAINT upload_sessions_folder_fkey,
        ADD CONSTRAINT upload_sessions_folder_fkey FOREIGN KEY (client_id, folder_id) REFERENCES folders (client_id, id)
          ON DELETE SET NULL (folder_id);
      CREATE INDEX upload_sessions_by_folder ON upload_sessions (client_id, folder_id) WHERE folder_id IS NOT NULL;

      -- search_text is written by the service: folded to plain lower-case words, so that it means the same under any locale.
      ALTER TABLE assets
        ADD COLUMN batch_id uuid,
        ADD COLUMN search_text text NOT NULL DEFAULT '',
        ADD COLUMN search tsvector GENERATED ALWAYS AS (to_tsvector('simple', search_text)) STORED,
        ADD CONSTRAINT assets_batch_fkey FOREIGN KEY (client_id, batch_id) REFERENCES trash_batches (client_id, id),
        DROP CONSTRAINT assets_folder_fkey,
        ADD CONSTRAINT assets_folder_fkey FOREIGN KEY (client_id, folder_id) REFERENCES folders (client_id, id)
          ON DELETE SET NULL (folder_id);
      DROP INDEX assets_by_folder;
      CREATE INDEX assets_by_folder_newest ON assets (client_id, folder_id, created_at, id) WHERE batch_id IS NULL;
      CREATE INDEX assets_by_folder_title ON assets (client_id, folder_id, lower(title), id) WHERE batch_id IS NULL;
      CREATE INDEX assets_by_folder_size ON assets (client_id, folder_id, size_bytes, id) WHERE batch_id IS NULL;
      CREATE INDEX assets_in_folder ON assets (client_id, folder_id);
      -- A folder belongs to one client. Without this statistic, Postgres underestimates the size of folders by a factor of a hundred.
      CREATE STATISTICS assets_folder_has_client (dependencies) ON client_id, folder_id FROM assets;
      CREATE INDEX assets_by_batch ON assets (client_id, batch_id, id) WHERE batch_id IS NOT NULL;
      CREATE INDEX assets_by_duplicate ON assets (client_id, duplicate_of) WHERE duplicate_of IS NOT NULL;
      CREATE INDEX assets_search_words ON assets USING gin (client_id, search) WHERE batch_id IS NULL;
      CREATE INDEX assets_search_text ON assets USING gin (client_id, search_text gin_trgm_ops) WHERE batch_id IS NULL;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    // Without the column everything in the trash would be live again.
    await requireEmpty(runner, 'trash_batches');
    await runner.query(`
      DROP STATISTICS assets_folder_has_client;
      DROP INDEX assets_by_folder_newest, assets_by_folder_title, assets_by_folder_size, assets_in_folder, assets_by_batch,
        assets_by_duplicate, assets_search_words, assets_search_text, upload_sessions_by_folder,
        folders_by_parent, folders_by_batch, folders_name_key;
      ALTER TABLE assets DROP COLUMN search, DROP COLUMN search_text, DROP COLUMN batch_id;
      ALTER TABLE folders DROP COLUMN batch_id;
      CREATE UNIQUE INDEX folders_name_key ON folders (client_id, parent_id, name_key) NULLS NOT DISTINCT;
      CREATE INDEX assets_by_folder ON assets (client_id, folder_id, id DESC);
      DROP TABLE trash_batches;
    `);
  }
}
