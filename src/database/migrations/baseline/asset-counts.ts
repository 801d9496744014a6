/** The number of assets per folder and tag, which triggers maintain so that listings need not count. */
export const ASSET_COUNTS = `
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
`;
