import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What only one kind of target has is no longer a column: another kind needs no other columns. */
export class TargetSettings1805400000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE targets ADD COLUMN settings jsonb;
      UPDATE targets SET settings = CASE kind
        WHEN 'wordpress' THEN jsonb_build_object('baseUrl', base_url, 'restRoot', rest_root, 'username', username)
        ELSE jsonb_build_object('url', url, 'method', method) END;
      ALTER TABLE targets ALTER COLUMN settings SET NOT NULL,
        DROP COLUMN base_url, DROP COLUMN rest_root, DROP COLUMN username, DROP COLUMN url, DROP COLUMN method;
    `);
  }

  /** Credentials entered since then have to be entered again: they are an encrypted JSON object. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE targets ADD COLUMN base_url text, ADD COLUMN rest_root text, ADD COLUMN username text, ADD COLUMN url text,
        ADD COLUMN method text CHECK (method IN ('PUT', 'POST'));
      UPDATE targets SET base_url = settings ->> 'baseUrl', rest_root = settings ->> 'restRoot',
        username = settings ->> 'username', url = settings ->> 'url', method = settings ->> 'method';
      ALTER TABLE targets DROP COLUMN settings,
        ADD CONSTRAINT targets_fields_of_kind CHECK (CASE kind
          WHEN 'wordpress' THEN num_nulls(base_url, username) = 0 AND num_nonnulls(url, method) = 0
          ELSE num_nulls(url, method) = 0 AND num_nonnulls(base_url, rest_root, username) = 0 END);
    `);
  }
}
