import type { MigrationInterface, QueryRunner } from 'typeorm';
import { requireEmpty } from '../require-empty.js';

/** The systems that a client's assets are delivered to. */
export class Targets1764300000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
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
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await requireEmpty(runner, 'targets');
    await runner.query('DROP TABLE targets');
  }
}
