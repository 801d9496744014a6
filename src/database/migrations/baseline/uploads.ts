/** The installation that the bucket belongs to, upload sessions, and the renditions of assets. */
export const UPLOADS = `
  -- One row. The bucket is marked with the same id, so that it is never cleaned up with the wrong database.
  CREATE TABLE installation (
    id uuid PRIMARY KEY,
    created_at timestamptz NOT NULL DEFAULT now(),
    -- What the bucket's marker should say, and what it may already say: this database's copies have the same id.
    nonce text,
    next_nonce text,
    advanced_at timestamptz,
    -- Which database and server last controlled the bucket, and since when.
    database_identity text,
    server_started_at timestamptz,
    held_since timestamptz
  );
  CREATE UNIQUE INDEX installation_single ON installation ((true));

  CREATE TABLE upload_sessions (
    id uuid PRIMARY KEY,
    client_id text NOT NULL REFERENCES clients,
    token_hash bytea NOT NULL CONSTRAINT upload_sessions_token_hash_key UNIQUE,
    status text NOT NULL DEFAULT 'pending'
      CHECK (status IN ('pending', 'finalizing', 'finalized', 'rejected', 'cancelled', 'expired')),
    asset_id uuid NOT NULL,
    folder_id uuid,
    original_filename text NOT NULL,
    mime_type text NOT NULL,
    expected_size_bytes bigint NOT NULL CHECK (expected_size_bytes >= 0),
    sha256 text,
    multipart_upload_id text,
    part_size_bytes bigint,
    attempt uuid,
    lease_until timestamptz,
    rejected_code text,
    rejected_detail text,
    url_expires_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    -- Failed attempts to finalize that were the caller's fault.
    failed_attempts integer NOT NULL DEFAULT 0,
    -- When the uploaded bytes of an ended session are due for deletion.
    delete_upload_at timestamptz,
    check_renditions_at timestamptz,
    -- How often the decoders of the file were killed, which does not condemn it.
    decoder_kills integer NOT NULL DEFAULT 0,
    decode_after timestamptz,
    CONSTRAINT upload_sessions_client_id_id_key UNIQUE (client_id, id),
    CONSTRAINT upload_sessions_folder_fkey FOREIGN KEY (client_id, folder_id) REFERENCES folders (client_id, id)
      ON DELETE SET NULL (folder_id),
    -- The lease and its attempt are set and cleared together with the state, so the key of every copy is recorded.
    CONSTRAINT upload_sessions_lease CHECK (
      (status = 'finalizing') = (lease_until IS NOT NULL) AND (status <> 'finalizing' OR attempt IS NOT NULL)
    ),
    CONSTRAINT upload_sessions_upload_deletion CHECK (delete_upload_at IS NULL OR status NOT IN ('pending', 'finalizing')),
    CONSTRAINT upload_sessions_rendition_check CHECK (check_renditions_at IS NULL OR status = 'finalized')
  );
  CREATE INDEX upload_sessions_open ON upload_sessions (client_id) INCLUDE (expected_size_bytes)
    WHERE status IN ('pending', 'finalizing');
  CREATE INDEX upload_sessions_by_expiry ON upload_sessions (expires_at) WHERE status = 'pending';
  CREATE INDEX upload_sessions_by_lease ON upload_sessions (lease_until) WHERE status = 'finalizing';
  CREATE INDEX upload_sessions_by_end ON upload_sessions (expires_at)
    WHERE status IN ('finalized', 'rejected', 'cancelled', 'expired');
  CREATE INDEX upload_sessions_by_folder ON upload_sessions (client_id, folder_id) WHERE folder_id IS NOT NULL;
  -- For the sweeper: which session wrote an object.
  CREATE INDEX upload_sessions_by_asset ON upload_sessions (asset_id);
  CREATE INDEX upload_sessions_by_upload_deletion ON upload_sessions (delete_upload_at) WHERE delete_upload_at IS NOT NULL;
  CREATE INDEX upload_sessions_by_rendition_check ON upload_sessions (check_renditions_at)
    WHERE check_renditions_at IS NOT NULL;

  CREATE TABLE renditions (
    client_id text NOT NULL,
    asset_id uuid NOT NULL,
    name text NOT NULL,
    status text NOT NULL CHECK (status IN ('making', 'ready', 'failed', 'killed')),
    sha256 text,
    size_bytes bigint,
    failure text,
    failures integer NOT NULL DEFAULT 0,
    -- While making: until when nobody else starts. After a failure: until when nobody retries.
    hold_until timestamptz,
    updated_at timestamptz NOT NULL DEFAULT now(),
    kills integer NOT NULL DEFAULT 0,
    PRIMARY KEY (asset_id, name),
    CONSTRAINT renditions_asset_fkey FOREIGN KEY (client_id, asset_id) REFERENCES assets (client_id, id) ON DELETE CASCADE,
    CONSTRAINT renditions_ready CHECK (status <> 'ready' OR (sha256 IS NOT NULL AND size_bytes IS NOT NULL))
  );
  CREATE INDEX renditions_by_asset ON renditions (client_id, asset_id);
`;
