import type { MigrationInterface, QueryRunner } from 'typeorm';
import { requireEmpty } from '../require-empty.js';

export class Foundation1763000000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
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
        revoked_at timestamptz
      );
      CREATE INDEX sign_ins_by_user ON sign_ins (user_id);
      CREATE INDEX sign_ins_by_expiry ON sign_ins (expires_at);

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
        CONSTRAINT api_keys_portal_has_one_client
          CHECK (role NOT IN ('client_manager', 'client_viewer') OR cardinality(coalesce(client_ids, '{}')) = 1)
      );

      -- rate-limiter-flexible prescribes the columns.
      CREATE TABLE rate_limits (
        key varchar(255) PRIMARY KEY,
        points integer NOT NULL DEFAULT 0,
        expire bigint
      );

      -- Other tables refer to (client_id, id), so that the database itself rejects rows that mix clients.
      CREATE TABLE folders (
        id uuid PRIMARY KEY,
        client_id text NOT NULL REFERENCES clients,
        parent_id uuid,
        name text NOT NULL,
        name_key text NOT NULL,
        system_key text CHECK (system_key IN ('social', 'social_posted')),
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT folders_client_id_id_key UNIQUE (client_id, id),
        CONSTRAINT folders_parent_fkey FOREIGN KEY (client_id, parent_id) REFERENCES folders (client_id, id),
        CONSTRAINT folders_not_own_parent CHECK (parent_id <> id)
      );
      CREATE UNIQUE INDEX folders_name_key ON folders (client_id, parent_id, name_key) NULLS NOT DISTINCT;
      CREATE UNIQUE INDEX folders_system_key ON folders (client_id, system_key) WHERE system_key IS NOT NULL;

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
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await requireEmpty(runner, 'clients', 'users', 'api_keys', 'audit_events');
    await runner.query(
      'DROP TABLE audit_events, folders, rate_limits, api_keys, refresh_tokens, sign_ins, users, clients',
    );
  }
}
