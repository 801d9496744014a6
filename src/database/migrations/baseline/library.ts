/** Folders, assets and the trash. Tables refer to (client_id, id), so that the database itself rejects rows that mix clients. */
export const LIBRARY = `
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
  CREATE INDEX trash_batches_purging ON trash_batches (client_id, id) WHERE purging_since IS NOT NULL;

  CREATE TABLE folders (
    id uuid PRIMARY KEY,
    client_id text NOT NULL REFERENCES clients,
    parent_id uuid,
    name text NOT NULL,
    name_key text NOT NULL,
    system_key text CHECK (system_key IN ('social', 'social_posted')),
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    -- Null: live.
    batch_id uuid,
    CONSTRAINT folders_client_id_id_key UNIQUE (client_id, id),
    CONSTRAINT folders_parent_fkey FOREIGN KEY (client_id, parent_id) REFERENCES folders (client_id, id)
      ON DELETE SET NULL (parent_id),
    CONSTRAINT folders_batch_fkey FOREIGN KEY (client_id, batch_id) REFERENCES trash_batches (client_id, id),
    CONSTRAINT folders_not_own_parent CHECK (parent_id <> id),
    CONSTRAINT folders_system_are_live CHECK (system_key IS NULL OR batch_id IS NULL)
  );
  CREATE UNIQUE INDEX folders_name_key ON folders (client_id, parent_id, name_key) NULLS NOT DISTINCT WHERE batch_id IS NULL;
  CREATE UNIQUE INDEX folders_system_key ON folders (client_id, system_key) WHERE system_key IS NOT NULL;
  CREATE INDEX folders_by_parent ON folders (client_id, parent_id);
  CREATE INDEX folders_by_batch ON folders (client_id, batch_id) WHERE batch_id IS NOT NULL;

  CREATE TABLE assets (
    id uuid PRIMARY KEY,
    client_id text NOT NULL REFERENCES clients,
    session_id uuid NOT NULL,
    attempt uuid NOT NULL,
    folder_id uuid,
    title text NOT NULL,
    description text NOT NULL,
    alt_text text NOT NULL,
    tags text[] NOT NULL,
    allowed_surfaces text[] NOT NULL CHECK (allowed_surfaces <@ ARRAY['website', 'social', 'gbp']),
    original_filename text NOT NULL,
    mime_type text NOT NULL,
    size_bytes bigint NOT NULL,
    sha256 text NOT NULL,
    width integer NOT NULL,
    height integer NOT NULL,
    duration_ms bigint,
    taken_at timestamptz,
    placeholder text,
    duplicate_of uuid,
    version integer NOT NULL DEFAULT 1,
    -- Milliseconds, as clients see it, so that a page continues exactly after the previous one.
    created_at timestamptz(3) NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    -- Only of assets that were trashed themselves, not with their folder.
    batch_id uuid,
    -- Written by the service: folded to plain lower-case words, so that it means the same under any locale.
    search_text text NOT NULL DEFAULT '',
    search tsvector GENERATED ALWAYS AS (to_tsvector('simple', search_text)) STORED,
    -- Null for assets that were uploaded before it was recorded.
    media_facts jsonb,
    focal_point jsonb,
    -- As the API returns it (json keeps the text, so that listings need not serialize it again); null until it is computed.
    fitness json,
    -- The surfaces and channels on which it can be published.
    fit_for text[],
    -- The version of the rules it was checked with; 0 if it has not been checked.
    fitness_rules integer NOT NULL DEFAULT 0,
    usages integer NOT NULL DEFAULT 0,
    CONSTRAINT assets_client_id_id_key UNIQUE (client_id, id),
    -- No foreign key: ended upload sessions are deleted after a while.
    CONSTRAINT assets_session_key UNIQUE (session_id),
    CONSTRAINT assets_folder_fkey FOREIGN KEY (client_id, folder_id) REFERENCES folders (client_id, id)
      ON DELETE SET NULL (folder_id),
    CONSTRAINT assets_batch_fkey FOREIGN KEY (client_id, batch_id) REFERENCES trash_batches (client_id, id)
  );
  CREATE INDEX assets_by_hash ON assets (client_id, sha256);
  CREATE INDEX assets_by_duplicate ON assets (client_id, duplicate_of) WHERE duplicate_of IS NOT NULL;
  CREATE INDEX assets_by_batch ON assets (client_id, batch_id, id) WHERE batch_id IS NOT NULL;
  CREATE INDEX assets_by_fitness_rules ON assets (fitness_rules);
  CREATE INDEX assets_in_folder ON assets (client_id, folder_id);
  -- A folder belongs to one client. Without this statistic, Postgres underestimates the size of folders by a factor of a hundred.
  CREATE STATISTICS assets_folder_has_client (dependencies) ON client_id, folder_id FROM assets;

  -- The sort orders of a listing.
  CREATE INDEX assets_by_folder_newest ON assets (client_id, folder_id, created_at, id) WHERE batch_id IS NULL;
  CREATE INDEX assets_by_folder_title ON assets (client_id, folder_id, lower(title), id) WHERE batch_id IS NULL;
  CREATE INDEX assets_by_folder_size ON assets (client_id, folder_id, size_bytes, id) WHERE batch_id IS NULL;
  CREATE INDEX assets_by_newest ON assets (client_id, created_at, id) INCLUDE (folder_id) WHERE batch_id IS NULL;
  CREATE INDEX assets_by_title ON assets (client_id, lower(title), id) INCLUDE (folder_id) WHERE batch_id IS NULL;
  CREATE INDEX assets_by_size ON assets (client_id, size_bytes, id) INCLUDE (folder_id) WHERE batch_id IS NULL;

  -- Its filters and its search.
  CREATE INDEX assets_by_filter ON assets USING gin (client_id, folder_id, tags, mime_type, allowed_surfaces, fit_for)
    WHERE batch_id IS NULL;
  CREATE INDEX assets_by_use ON assets (client_id, (usages > 0)) WHERE batch_id IS NULL;
  CREATE INDEX assets_search_words ON assets USING gin (client_id, search) WHERE batch_id IS NULL;
  CREATE INDEX assets_search_text ON assets USING gin (client_id, search_text gin_trgm_ops) WHERE batch_id IS NULL;
  -- Single characters of scripts written without spaces, and pictographs, which have no trigrams.
  CREATE INDEX assets_search_characters ON assets
    USING gin (client_id, (string_to_array(regexp_replace(search_text, '[\\u0001-\\u058f]+', '', 'g'), NULL)))
    WHERE batch_id IS NULL AND search_text ~ '[^\\u0001-\\u058f]';
`;
