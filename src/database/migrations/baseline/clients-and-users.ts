/** Clients, and who may do what with them. */
export const CLIENTS_AND_USERS = `
  CREATE TABLE clients (
    id text PRIMARY KEY CHECK (id ~ '^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$'),
    name text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now()
  );

  CREATE TABLE users (
    id uuid PRIMARY KEY,
    email text NOT NULL CHECK (email = lower(email)),
    name text NOT NULL,
    role text NOT NULL,
    client_ids text[],
    password_hash text NOT NULL,
    is_active boolean NOT NULL DEFAULT true,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT users_email_key UNIQUE (email),
    CONSTRAINT users_portal_has_one_client
      CHECK (role NOT IN ('client_manager', 'client_viewer') OR cardinality(coalesce(client_ids, '{}')) = 1)
  );

  CREATE TABLE sign_ins (
    id uuid PRIMARY KEY,
    user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    created_at timestamptz NOT NULL DEFAULT now(),
    expires_at timestamptz NOT NULL,
    revoked_at timestamptz,
    network_hash bytea
  );
  CREATE INDEX sign_ins_by_user ON sign_ins (user_id, network_hash);
  -- LEAST ignores nulls: the end of a sign-in that was not revoked is its expiry.
  CREATE INDEX sign_ins_by_end ON sign_ins (least(expires_at, revoked_at));

  CREATE TABLE refresh_tokens (
    token_hash bytea PRIMARY KEY,
    sign_in_id uuid NOT NULL REFERENCES sign_ins ON DELETE CASCADE,
    created_at timestamptz NOT NULL DEFAULT now(),
    expires_at timestamptz NOT NULL,
    used_at timestamptz
  );
  CREATE INDEX refresh_tokens_by_sign_in ON refresh_tokens (sign_in_id);

  CREATE TABLE api_keys (
    id uuid PRIMARY KEY,
    name text NOT NULL,
    key_hash bytea NOT NULL CONSTRAINT api_keys_key_hash_key UNIQUE,
    role text NOT NULL,
    client_ids text[],
    expires_at timestamptz,
    last_used_at timestamptz,
    revoked_at timestamptz,
    created_at timestamptz NOT NULL DEFAULT now(),
    surfaces text[] CONSTRAINT api_keys_surfaces CHECK (surfaces <@ ARRAY['website', 'social', 'gbp'] AND cardinality(surfaces) > 0),
    CONSTRAINT api_keys_portal_has_one_client
      CHECK (role NOT IN ('client_manager', 'client_viewer') OR cardinality(coalesce(client_ids, '{}')) = 1)
  );

  -- rate-limiter-flexible prescribes the columns.
  CREATE TABLE rate_limits (
    key varchar(255) PRIMARY KEY,
    points integer NOT NULL DEFAULT 0,
    expire bigint
  );
  CREATE INDEX rate_limits_by_expiry ON rate_limits (expire);

  CREATE TABLE audit_events (
    id uuid PRIMARY KEY,
    at timestamptz NOT NULL DEFAULT now(),
    client_id text REFERENCES clients,
    actor_kind text NOT NULL,
    actor_id uuid,
    actor_name text NOT NULL,
    action text NOT NULL,
    subject_kind text NOT NULL,
    subject_id text NOT NULL,
    before jsonb,
    after jsonb,
    request_id text
  );
  CREATE INDEX audit_events_by_client ON audit_events (client_id, id DESC);
  -- What happened to one asset, and the last name of what has been deleted.
  CREATE INDEX audit_events_by_subject ON audit_events (client_id, subject_id, id);
`;
