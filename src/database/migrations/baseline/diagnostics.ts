/** What integrations, agents and advertising connections report, and landing pages. */
export const DIAGNOSTICS = `
  CREATE TABLE client_integrations (
    client_id text NOT NULL REFERENCES clients,
    kind text NOT NULL,
    name text NOT NULL,
    state text NOT NULL CHECK (state IN ('connected', 'expired', 'revoked', 'error')),
    last_verified_at timestamptz NOT NULL,
    detail text,
    PRIMARY KEY (client_id, kind)
  );

  -- The caller that reports an agent or a connection chooses its id, which is unique per client, so that no client can occupy another's.
  CREATE TABLE seo_agents (
    id text,
    client_id text NOT NULL REFERENCES clients,
    state text NOT NULL CHECK (state IN ('idle', 'running', 'waiting', 'failed', 'stopped')),
    task text,
    detail text,
    last_heartbeat_at timestamptz NOT NULL,
    PRIMARY KEY (id, client_id)
  );
  CREATE INDEX seo_agents_by_client ON seo_agents (client_id, id);

  CREATE TABLE ads_connections (
    provider text NOT NULL,
    id text NOT NULL,
    client_id text NOT NULL REFERENCES clients,
    state text NOT NULL CHECK (state IN ('connected', 'expired', 'revoked', 'error')),
    account_id text,
    token_expires_at timestamptz,
    detail text,
    last_checked_at timestamptz NOT NULL,
    PRIMARY KEY (provider, id, client_id)
  );
  CREATE INDEX ads_connections_by_client ON ads_connections (client_id, provider, id);

  CREATE TABLE landing_pages (
    slug text PRIMARY KEY,
    client_id text NOT NULL REFERENCES clients,
    url text NOT NULL,
    name text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now()
  );
  CREATE INDEX landing_pages_by_client ON landing_pages (client_id, slug);
`;
