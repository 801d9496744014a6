import type { MigrationInterface, QueryRunner } from 'typeorm';

export class PasswordLinks1806400000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE password_links (
        token_hash bytea PRIMARY KEY,
        user_id uuid NOT NULL CONSTRAINT password_links_user_id_fkey REFERENCES users ON DELETE CASCADE,
        maker_kind text,
        maker_id uuid,
        created_at timestamptz NOT NULL DEFAULT now(),
        expires_at timestamptz NOT NULL,
        CONSTRAINT password_links_maker CHECK ((maker_kind IS NULL) = (maker_id IS NULL))
      );
      CREATE INDEX password_links_by_user ON password_links (user_id);
      CREATE INDEX password_links_by_expiry ON password_links (expires_at);
      ALTER TABLE sign_ins ADD COLUMN user_agent text, ADD COLUMN last_used_at timestamptz`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE sign_ins DROP COLUMN user_agent, DROP COLUMN last_used_at;
      DROP TABLE password_links`);
  }
}
