import type { MigrationInterface, QueryRunner } from 'typeorm';
import { requireEmpty } from '../require-empty.js';

export class Renditions1763300000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- The renditions of an asset: made, being made, or failed.
      CREATE TABLE renditions (
        client_id text NOT NULL,
        asset_id uuid NOT NULL,
        name text NOT NULL,
        status text NOT NULL CHECK (status IN ('making', 'ready', 'failed')),
        sha256 text,
        size_bytes bigint,
        failure text,
        failures integer NOT NULL DEFAULT 0,
        -- While making: until when nobody else starts. After a failure: until when nobody retries.
        hold_until timestamptz,
        updated_at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (asset_id, name),
        CONSTRAINT renditions_asset_fkey FOREIGN KEY (client_id, asset_id) REFERENCES assets (client_id, id) ON DELETE CASCADE,
        CONSTRAINT renditions_ready CHECK (status <> 'ready' OR (sha256 IS NOT NULL AND size_bytes IS NOT NULL))
      );
      CREATE INDEX renditions_by_asset ON renditions (client_id, asset_id);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await requireEmpty(runner, 'renditions');
    await runner.query('DROP TABLE renditions');
  }
}
