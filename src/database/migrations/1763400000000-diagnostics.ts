import type { MigrationInterface, QueryRunner } from 'typeorm';
import { requireEmpty } from '../require-empty.js';

export class Diagnostics1763400000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE client_integrations (
        client_id text NOT NULL REFERENCES clients,
        kind text NOT NULL,
        name text NOT NULL,
        state text NOT NULL CHECK (state IN ('connected', 'expired', 'revoked', 'error')),
        last_verified_at timestamptz NOT NULL,
        detail text,
        PRIMARY KEY (client_id, kind)
      );

      -- The caller that reports an agent or a connection chooses its id. A row never moves to another client.
      CREATE TABLE seo_agents (
        id text PRIMARY KEY,
        client_id text NOT NULL REFERENCES clients,
        state text NOT NULL CHECK (state IN ('idle', 'running', 'waiting', 'failed', 'stopped')),
        task text,
        detail text,
        last_heartbeat_at timestamptz NOT NULL
      );

      CREATE TABLE ads_connections (
        provider text NOT NULL,
        id text NOT NULL,
        client_id text NOT NULL REFERENCES clients,
        state text NOT NULL CHECK (state IN ('connected', 'expired', 'revoked', 'error')),
        account_id text,
        token_expires_at timestamptz,
        detail text,
        last_checked_at timestamptz NOT NULL,
        PRIMARY KEY (provider, id)
      );

      CREATE TABLE landing_pages (
        slug text PRIMARY KEY,
        client_id text NOT NULL REFERENCES clients,
        url text NOT NULL,
        name text NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now()
      );
      CREATE INDEX landing_pages_by_client ON landing_pages (client_id, slug);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await requireEmpty(runner, 'landing_pages', 'ads_connections', 'seo_agents', 'client_integrations');
    await runner.query('DROP TABLE landing_pages, ads_connections, seo_agents, client_integrations');
  }
}
