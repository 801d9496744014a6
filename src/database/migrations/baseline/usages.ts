/** Where assets are used, and how often. */
export const USAGES = `
  CREATE TABLE usages (
    id uuid PRIMARY KEY,
    client_id text NOT NULL,
    asset_id uuid NOT NULL,
    kind text NOT NULL,
    external_id text NOT NULL,
    surface text NOT NULL CHECK (surface IN ('website', 'social', 'gbp')),
    role text NOT NULL CHECK (role IN ('featured', 'attached', 'posted', 'delivered')),
    -- The position in the reference's list.
    position integer NOT NULL DEFAULT 0,
    title text,
    url text,
    -- The social network of the post.
    platform text,
    -- When the asset was used; for a post, when it was posted.
    used_at timestamptz(3) NOT NULL DEFAULT now(),
    created_at timestamptz(3) NOT NULL DEFAULT now(),
    created_by text NOT NULL,
    created_by_id uuid,
    -- One use of an asset in one post counts once, whatever its roles.
    post_id text,
    CONSTRAINT usages_key UNIQUE (client_id, kind, external_id, role, asset_id),
    CONSTRAINT usages_asset_fkey FOREIGN KEY (client_id, asset_id) REFERENCES assets (client_id, id) ON DELETE CASCADE
  );
  CREATE INDEX usages_by_asset ON usages (client_id, asset_id, id) INCLUDE (surface, role, used_at);
  -- Usages that prevent an asset from being trashed.
  CREATE INDEX usages_live ON usages (client_id, asset_id) WHERE role IN ('featured', 'attached');

  -- Locks the assets in the order of their ids, so that two transactions wait for each other instead of deadlocking.
  CREATE FUNCTION change_usage_counts() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM FROM assets WHERE (client_id, id) IN (SELECT client_id, asset_id FROM changed)
      ORDER BY id FOR NO KEY UPDATE;
    UPDATE assets SET usages = counted.usages
      FROM (SELECT client_id, asset_id,
                   (SELECT count(DISTINCT (usages.kind, coalesce(usages.post_id, usages.external_id))) FROM usages
                     WHERE usages.client_id = used.client_id AND usages.asset_id = used.asset_id) AS usages
              FROM (SELECT DISTINCT client_id, asset_id FROM changed) AS used) AS counted
     WHERE assets.client_id = counted.client_id AND assets.id = counted.asset_id AND assets.usages <> counted.usages;
    RETURN NULL;
  END $$;
  CREATE TRIGGER usages_count_added AFTER INSERT ON usages
    REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION change_usage_counts('1');
  CREATE TRIGGER usages_count_removed AFTER DELETE ON usages
    REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION change_usage_counts('-1');
  CREATE TRIGGER usages_count_changed AFTER UPDATE ON usages
    REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION change_usage_counts();
`;
