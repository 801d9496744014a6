import type { MigrationInterface, QueryRunner } from 'typeorm';

export class SignIns1764000000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE sign_ins ADD COLUMN network_hash bytea;
      DROP INDEX sign_ins_by_user;
      CREATE INDEX sign_ins_by_user ON sign_ins (user_id, network_hash);

      -- LEAST ignores nulls: the end of a sign-in that was not revoked is its expiry.
      DROP INDEX sign_ins_by_expiry;
      CREATE INDEX sign_ins_by_end ON sign_ins (least(expires_at, revoked_at));

      CREATE INDEX rate_limits_by_expiry ON rate_limits (expire);
    `);
  }

  /** Only the networks that users signed in from are lost. They are recorded again when users sign in. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP INDEX rate_limits_by_expiry;
      DROP INDEX sign_ins_by_end;
      CREATE INDEX sign_ins_by_expiry ON sign_ins (expires_at);
      DROP INDEX sign_ins_by_user;
      CREATE INDEX sign_ins_by_user ON sign_ins (user_id);
      ALTER TABLE sign_ins DROP COLUMN network_hash;
    `);
  }
}
