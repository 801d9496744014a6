/** The systems that a client's assets are delivered to, and the deliveries, in progress and past. */
export const DELIVERIES = `
  CREATE TABLE targets (
    id uuid PRIMARY KEY,
    client_id text NOT NULL REFERENCES clients,
    kind text NOT NULL CHECK (kind IN ('wordpress', 'http')),
    name text NOT NULL,
    base_url text,
    -- The address of the site's REST API; null until it is discovered.
    rest_root text,
    username text,
    url text,
    method text CHECK (method IN ('PUT', 'POST')),
    -- Encrypted, bound to the client and the target.
    credentials text,
    -- Counts changes to the credentials: a verification with earlier credentials is not valid for the current ones.
    revision integer NOT NULL DEFAULT 1,
    state text NOT NULL CHECK (state IN ('connected', 'error', 'unverified', 'credentials_unreadable')),
    last_verified_at timestamptz,
    detail text,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    -- Deliveries still refer to a deleted target; its credentials are removed immediately.
    deleted_at timestamptz,
    CONSTRAINT targets_client_id_id_key UNIQUE (client_id, id),
    CONSTRAINT targets_fields_of_kind CHECK (CASE kind
      WHEN 'wordpress' THEN num_nulls(base_url, username) = 0 AND num_nonnulls(url, method) = 0
      ELSE num_nulls(url, method) = 0 AND num_nonnulls(base_url, rest_root, username) = 0 END),
    CONSTRAINT targets_deleted_without_credentials CHECK (deleted_at IS NULL OR credentials IS NULL)
  );
  CREATE UNIQUE INDEX targets_live_name ON targets (client_id, lower(name)) WHERE deleted_at IS NULL;

  CREATE TABLE deliveries (
    id uuid PRIMARY KEY,
    client_id text NOT NULL,
    -- No foreign key: the history of deliveries outlives the asset.
    asset_id uuid NOT NULL,
    target_id uuid NOT NULL,
    surface text NOT NULL CHECK (surface IN ('website', 'social', 'gbp')),
    rendition text NOT NULL,
    identity text NOT NULL,
    title text NOT NULL,
    alt_text text NOT NULL,
    caption text NOT NULL,
    description text NOT NULL,
    status text NOT NULL CHECK (status IN ('queued', 'running', 'delivered', 'failed', 'cancelled')),
    attempts integer NOT NULL DEFAULT 0,
    failures integer NOT NULL DEFAULT 0,
    next_attempt_at timestamptz NOT NULL DEFAULT now(),
    lease_id uuid,
    heartbeat_at timestamptz,
    is_sending boolean NOT NULL DEFAULT false,
    is_ambiguous boolean NOT NULL DEFAULT false,
    sent_sizes bigint[] NOT NULL DEFAULT '{}',
    error_code text,
    error_detail text,
    error_step text,
    remote_id text,
    remote_url text,
    created_by text NOT NULL,
    created_by_id uuid,
    created_at timestamptz(3) NOT NULL DEFAULT now(),
    updated_at timestamptz(3) NOT NULL DEFAULT now(),
    CONSTRAINT deliveries_target_fkey FOREIGN KEY (client_id, target_id) REFERENCES targets (client_id, id),
    CONSTRAINT deliveries_running CHECK (
      (status <> 'running' OR lease_id IS NOT NULL) AND (lease_id IS NULL OR heartbeat_at IS NOT NULL)),
    CONSTRAINT deliveries_sending CHECK (status = 'running' OR NOT is_sending),
    CONSTRAINT deliveries_error CHECK (num_nulls(error_code, error_detail, error_step) IN (0, 3))
  );
  -- The same asset, rendition and target is in progress at most once.
  CREATE UNIQUE INDEX deliveries_open ON deliveries (target_id, asset_id, identity) WHERE status IN ('queued', 'running');
  -- Attempts, and another look at a target after an unknown outcome.
  CREATE INDEX deliveries_due ON deliveries (target_id, next_attempt_at)
    WHERE status = 'queued' OR is_ambiguous AND status <> 'running';
  CREATE INDEX deliveries_held ON deliveries (target_id) WHERE lease_id IS NOT NULL;
  CREATE INDEX deliveries_by_asset ON deliveries (client_id, asset_id, id);
  CREATE INDEX deliveries_by_target ON deliveries (client_id, target_id, id);
  CREATE INDEX deliveries_by_status ON deliveries (client_id, status, id);
  CREATE INDEX deliveries_by_client ON deliveries (client_id, id);
`;
