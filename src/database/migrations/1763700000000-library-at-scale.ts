import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The extensions of the accepted file types, as in `MEDIA_ENDING` in search.rules.ts. */
const MEDIA_ENDING = String.raw`[^.]\.(jpe?g|jfif|png|webp|hei[cf]|hif|mp4|m4v|mov)$`;

/** Adds counts that triggers maintain, and an index for every sort order of a listing. */
export class LibraryAtScale1763700000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // Rewriting the search text of every asset is much faster with few indexes, and building the search indexes with more memory.
    await runner.query(`
      SET LOCAL maintenance_work_mem = '256MB';
      DROP INDEX assets_search_words, assets_search_text, assets_by_folder_newest, assets_by_folder_title, assets_by_folder_size,
        assets_in_folder, assets_by_hash;
      UPDATE assets SET search_text = regexp_replace(search_text, ' ?[^ ]+$', '') WHERE original_filename ~* '${MEDIA_ENDING}';

      CREATE INDEX assets_by_hash ON assets (client_id, sha256);
      CREATE INDEX assets_in_folder ON assets (client_id, folder_id);
      CREATE INDEX assets_by_folder_newest ON assets (client_id, folder_id, created_at, id) WHERE batch_id IS NULL;
      CREATE INDEX assets_by_folder_title ON assets (client_id, folder_id, lower(title), id) WHERE batch_id IS NULL;
      CREATE INDEX assets_by_folder_size ON assets (client_id, folder_id, size_bytes, id) WHERE batch_id IS NULL;
      CREATE INDEX assets_search_words ON assets USING gin (client_id, search) WHERE batch_id IS NULL;
      CREATE INDEX assets_search_text ON assets USING gin (client_id, search_text gin_trgm_ops) WHERE batch_id IS NULL;
      -- Single characters of scripts written without spaces, and pictographs, which have no trigrams.
      CREATE INDEX assets_search_characters ON assets
        USING gin (client_id, (string_to_array(regexp_replace(search_text, '[\\u0001-\\u058f]+', '', 'g'), NULL)))
        WHERE batch_id IS NULL AND search_text ~ '[^\\u0001-\\u058f]';

      CREATE INDEX assets_by_newest ON assets (client_id, created_at, id) INCLUDE (folder_id) WHERE batch_id IS NULL;
      CREATE INDEX assets_by_title ON assets (client_id, lower(title), id) INCLUDE (folder_id) WHERE batch_id IS NULL;
      CREATE INDEX assets_by_size ON assets (client_id, size_bytes, id) INCLUDE (folder_id) WHERE batch_id IS NULL;
      CREATE INDEX assets_by_filter ON assets USING gin (client_id, folder_id, tags, mime_type, allowed_surfaces)
        WHERE batch_id IS NULL;
    `);
    await runner.query(`
      -- Assets that are not in the trash themselves, per folder (null: top level) and tag ('': all of them).
      -- Assets in a trashed folder stay counted, under that folder.
      -- No index may contain \`assets\`: without one, updates are HOT and counts that change often do not bloat the table.
      CREATE TABLE asset_counts (
        client_id text NOT NULL,
        folder_id uuid,
        tag text NOT NULL,
        assets integer NOT NULL,
        CONSTRAINT asset_counts_key UNIQUE NULLS NOT DISTINCT (client_id, tag, folder_id)
      ) WITH (fillfactor = 70);

      LOCK TABLE assets IN SHARE ROW EXCLUSIVE MODE;
      INSERT INTO asset_counts (client_id, folder_id, tag, assets)
        SELECT client_id, folder_id, tag, count(*)
          FROM assets, unnest(array_append(tags, '')) AS tag
         WHERE batch_id IS NULL GROUP BY client_id, folder_id, tag;

      -- Rows change in the order of their key, so that two transactions wait for each other instead of deadlocking.
      CREATE FUNCTION change_asset_counts() RETURNS trigger LANGUAGE plpgsql AS $$
      DECLARE
        emptied tid[];
      BEGIN
        IF TG_OP = 'INSERT' THEN
          INSERT INTO asset_counts AS counts (client_id, tag, folder_id, assets)
            SELECT client_id, tag, folder_id, count(*)
              FROM added, unnest(array_append(tags, '')) AS tag
             WHERE batch_id IS NULL GROUP BY client_id, tag, folder_id ORDER BY client_id, tag, folder_id
            ON CONFLICT (client_id, tag, folder_id) DO UPDATE SET assets = counts.assets + excluded.assets;
        ELSIF TG_OP = 'DELETE' THEN
          WITH changed AS (
            INSERT INTO asset_counts AS counts (client_id, tag, folder_id, assets)
              SELECT client_id, tag, folder_id, -count(*)
                FROM removed, unnest(array_append(tags, '')) AS tag
               WHERE batch_id IS NULL GROUP BY client_id, tag, folder_id ORDER BY client_id, tag, folder_id
              ON CONFLICT (client_id, tag, folder_id) DO UPDATE SET assets = counts.assets + excluded.assets
              RETURNING ctid AS place, assets)
          SELECT array_agg(place) INTO emptied FROM changed WHERE assets = 0;
        ELSE
          WITH changed AS (
            INSERT INTO asset_counts AS counts (client_id, tag, folder_id, assets)
              SELECT client_id, tag, folder_id, sum(change)
                FROM (SELECT client_id, folder_id, tags, 1 AS change FROM added WHERE batch_id IS NULL
                      UNION ALL
                      SELECT client_id, folder_id, tags, -1 FROM removed WHERE batch_id IS NULL) AS moved,
                     unnest(array_append(tags, '')) AS tag
               GROUP BY client_id, tag, folder_id HAVING sum(change) <> 0 ORDER BY client_id, tag, folder_id
              ON CONFLICT (client_id, tag, folder_id) DO UPDATE SET assets = counts.assets + excluded.assets
              RETURNING ctid AS place, assets)
          SELECT array_agg(place) INTO emptied FROM changed WHERE assets = 0;
        END IF;
        -- The statement above locked these rows, so they are where it left them.
        IF emptied IS NOT NULL THEN
          DELETE FROM asset_counts WHERE ctid = ANY (emptied);
        END IF;
        RETURN NULL;
      END $$;
      CREATE TRIGGER assets_count_added AFTER INSERT ON assets
        REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION change_asset_counts();
      CREATE TRIGGER assets_count_removed AFTER DELETE ON assets
        REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION change_asset_counts();
      CREATE TRIGGER assets_count_changed AFTER UPDATE ON assets
        REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION change_asset_counts();
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TRIGGER assets_count_added ON assets;
      DROP TRIGGER assets_count_removed ON assets;
      DROP TRIGGER assets_count_changed ON assets;
      DROP FUNCTION change_asset_counts;
      DROP TABLE asset_counts;
      DROP INDEX assets_search_words, assets_search_text, assets_search_characters, assets_by_newest, assets_by_title,
        assets_by_size, assets_by_filter;
      UPDATE assets SET search_text = ltrim(search_text || ' ' || lower(substring(original_filename from '[^.]+$')))
        WHERE original_filename ~* '${MEDIA_ENDING}';
      CREATE INDEX assets_search_words ON assets USING gin (client_id, search) WHERE batch_id IS NULL;
      CREATE INDEX assets_search_text ON assets USING gin (client_id, search_text gin_trgm_ops) WHERE batch_id IS NULL;
    `);
  }
}
