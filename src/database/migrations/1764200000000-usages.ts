import type { MigrationInterface, QueryRunner } from 'typeorm';
import { requireEmpty } from '../require-empty.js';

const KEY_COLUMNS = ['id', 'name', 'key_hash', 'role', 'client_ids', 'expires_at', 'revoked_at'];

/** Where assets are used, and the surfaces that an API key is limited to. */
export class Usages1764200000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE usages (
        id uuid PRIMARY KEY,
        client_id text NOT NULL,
        asset_id uuid NOT NULL,
        kind text NOT NULL,
        external_id text NOT NULL,
        surface text NOT NULL CHECK (surface IN ('website', 'social', 'gbp')),
        role text NOT NULL CHECK (role IN ('featured', 'attached', 'posted', 'delivered')),
        -- The position in the reference's list.
        position integer NOT NULL DEFAULT 0,
        title text,
        url text,
        -- The social network of the post.
        platform text,
        -- When the asset was used; for a post, when it was posted.
        used_at timestamptz(3) NOT NULL DEFAULT now(),
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        created_by text NOT NULL,
        created_by_id uuid,
        CONSTRAINT usages_key UNIQUE (client_id, kind, external_id, role, asset_id),
        CONSTRAINT usages_asset_fkey FOREIGN KEY (client_id, asset_id) REFERENCES assets (client_id, id) ON DELETE CASCADE
      );
      CREATE INDEX usages_by_asset ON usages (client_id, asset_id, id) INCLUDE (surface, role, used_at);
      -- Usages that prevent an asset from being trashed.
      CREATE INDEX usages_live ON usages (client_id, asset_id) WHERE role IN ('featured', 'attached');

      ALTER TABLE api_keys ADD COLUMN surfaces text[]
        CONSTRAINT api_keys_surfaces CHECK (surfaces <@ ARRAY['website', 'social', 'gbp'] AND cardinality(surfaces) > 0);
    `);
    await this.notifyKeyChanges(runner, [...KEY_COLUMNS, 'surfaces']);
  }

  async down(runner: QueryRunner): Promise<void> {
    await requireEmpty(runner, 'usages');
    const limited = (await runner.query(
      'SELECT 1 FROM api_keys WHERE surfaces IS NOT NULL AND revoked_at IS NULL LIMIT 1',
    )) as unknown[];
    if (limited.length > 0)
      throw new Error(
        'This migration cannot be reverted while API keys are limited to surfaces, because they would gain access to every asset. Revoke them first.',
      );
    await this.notifyKeyChanges(runner, KEY_COLUMNS);
    await runner.query('ALTER TABLE api_keys DROP COLUMN surfaces; DROP TABLE usages');
  }

  private async notifyKeyChanges(runner: QueryRunner, columns: readonly string[]): Promise<void> {
    const row = (name: string) => `(${columns.map((column) => `${name}.${column}`).join(', ')})`;
    await runner.query(`
      DROP TRIGGER api_keys_access_changed ON api_keys;
      CREATE TRIGGER api_keys_access_changed AFTER UPDATE ON api_keys FOR EACH ROW
        WHEN (${row('OLD')} IS DISTINCT FROM ${row('NEW')})
        EXECUTE FUNCTION notify_access_changes();
    `);
  }
}
