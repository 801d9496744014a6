import type { MigrationInterface, QueryRunner } from 'typeorm';

export class PickerTokens1806300000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE picker_tokens (
        id uuid PRIMARY KEY,
        token_hash bytea NOT NULL,
        access_hash bytea,
        sign_in_id uuid CONSTRAINT picker_tokens_sign_in_id_fkey REFERENCES sign_ins (id) ON DELETE CASCADE,
        api_key_id uuid CONSTRAINT picker_tokens_api_key_id_fkey REFERENCES api_keys (id) ON DELETE CASCADE,
        client_id text NOT NULL CONSTRAINT picker_tokens_client_id_fkey REFERENCES clients (id),
        surface text,
        multiple boolean NOT NULL,
        uploads boolean NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        expires_at timestamptz NOT NULL,
        CONSTRAINT picker_tokens_token_hash_key UNIQUE (token_hash),
        CONSTRAINT picker_tokens_access_hash_key UNIQUE (access_hash),
        CONSTRAINT picker_tokens_one_maker CHECK (num_nonnulls(sign_in_id, api_key_id) = 1)
      );
      CREATE INDEX picker_tokens_by_end ON picker_tokens (expires_at);
      CREATE INDEX picker_tokens_by_sign_in ON picker_tokens (sign_in_id) WHERE sign_in_id IS NOT NULL;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE picker_tokens');
  }
}
