import type { MigrationInterface, QueryRunner } from 'typeorm';
import { requireEmpty } from '../require-empty.js';

export class Uploads1763100000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- One row. The bucket is marked with the same id, so that it is never cleaned up with the wrong database.
      CREATE TABLE installation (
        id uuid PRIMARY KEY,
        created_at timestamptz NOT NULL DEFAULT now()
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
        CONSTRAINT upload_sessions_client_id_id_key UNIQUE (client_id, id),
        CONSTRAINT upload_sessions_folder_fkey FOREIGN KEY (client_id, folder_id) REFERENCES folders (client_id, id),
        -- The lease and its attempt are set and cleared together with the state, so the key of every copy is recorded.
        CONSTRAINT upload_sessions_lease CHECK (
          (status = 'finalizing') = (lease_until IS NOT NULL) AND (status <> 'finalizing' OR attempt IS NOT NULL)
        )
      );
      CREATE INDEX upload_sessions_open ON upload_sessions (client_id) INCLUDE (expected_size_bytes)
        WHERE status IN ('pending', 'finalizing');
      CREATE INDEX upload_sessions_by_expiry ON upload_sessions (expires_at) WHERE status = 'pending';
      CREATE INDEX upload_sessions_by_lease ON upload_sessions (lease_until) WHERE status = 'finalizing';

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
        CONSTRAINT assets_client_id_id_key UNIQUE (client_id, id),
        CONSTRAINT assets_session_key UNIQUE (session_id),
        CONSTRAINT assets_session_fkey FOREIGN KEY (client_id, session_id) REFERENCES upload_sessions (client_id, id),
        CONSTRAINT assets_folder_fkey FOREIGN KEY (client_id, folder_id) REFERENCES folders (client_id, id)
      );
      CREATE INDEX assets_by_hash ON assets (client_id, sha256);
      CREATE INDEX assets_by_folder ON assets (client_id, folder_id, id DESC);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await requireEmpty(runner, 'assets', 'upload_sessions', 'installation');
    await runner.query('DROP TABLE assets, upload_sessions, installation');
  }
}
