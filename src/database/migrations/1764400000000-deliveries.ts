import type { MigrationInterface, QueryRunner } from 'typeorm';
import { requireEmpty } from '../require-empty.js';

/** Deliveries of assets to targets, in progress and past. */
export class Deliveries1764400000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE deliveries (
        id uuid PRIMARY KEY,
        client_id text NOT NULL,
        -- No foreign key: the history of deliveries outlives the asset.
        asset_id uuid NOT NULL,
        target_id uuid NOT NULL,
        surface text NOT NULL CHECK (surface IN ('website', 'social', 'gbp')),
        rendition text NOT NULL,
        identity text NOT NULL,
        title text NOT NULL,
        alt_text text NOT NULL,
        caption text NOT NULL,
        description text NOT NULL,
        status text NOT NULL CHECK (status IN ('queued', 'running', 'delivered', 'failed', 'cancelled')),
        attempts integer NOT NULL DEFAULT 0,
        failures integer NOT NULL DEFAULT 0,
        next_attempt_at timestamptz NOT NULL DEFAULT now(),
        lease_id uuid,
        heartbeat_at timestamptz,
        is_sending boolean NOT NULL DEFAULT false,
        is_ambiguous boolean NOT NULL DEFAULT false,
        sent_sizes bigint[] NOT NULL DEFAULT '{}',
        error_code text,
        error_detail text,
        error_step text,
        remote_id text,
        remote_url text,
        created_by text NOT NULL,
        created_by_id uuid,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        updated_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT deliveries_target_fkey FOREIGN KEY (client_id, target_id) REFERENCES targets (client_id, id),
        CONSTRAINT deliveries_running CHECK ((status = 'running') = (lease_id IS NOT NULL) AND (lease_id IS NULL OR heartbeat_at IS NOT NULL)),
        CONSTRAINT deliveries_sending CHECK (status = 'running' OR NOT is_sending),
        CONSTRAINT deliveries_error CHECK (num_nulls(error_code, error_detail, error_step) IN (0, 3))
      );
      -- The same asset, rendition and target is in progress at most once.
      CREATE UNIQUE INDEX deliveries_open ON deliveries (target_id, asset_id, identity) WHERE status IN ('queued', 'running');
      CREATE INDEX deliveries_due ON deliveries (target_id, next_attempt_at) WHERE status = 'queued';
      CREATE INDEX deliveries_by_asset ON deliveries (client_id, asset_id, id);
      CREATE INDEX deliveries_by_target ON deliveries (client_id, target_id, id);
      CREATE INDEX deliveries_by_status ON deliveries (client_id, status, id);
      CREATE INDEX deliveries_by_client ON deliveries (client_id, id);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await requireEmpty(runner, 'deliveries');
    await runner.query('DROP TABLE deliveries');
  }
}
