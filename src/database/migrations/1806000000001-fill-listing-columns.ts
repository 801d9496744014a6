import type { MigrationInterface, QueryRunner } from 'typeorm';

const ROWS = 5_000;

/**
 * Fills the new columns, from the titles and the audit events, and has the fitness computed again, which records the verdicts. Each batch is
 * committed, so that assets are locked only for a moment. If the migration is interrupted, it starts over.
 */
export class FillListingColumns1806000000001 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    let last: string | null = '00000000-0000-0000-0000-000000000000';
    while (last !== null) {
      const [{ next }] = (await runner.query(
        `SELECT max(id::text) AS next FROM (SELECT id FROM assets WHERE id > $1 ORDER BY id LIMIT ${ROWS}) AS batch`,
        [last],
      )) as [{ next: string | null }];
      if (next !== null) await runner.query(FILL, [last, next]);
      last = next;
    }
  }

  /** The columns are dropped next. */
  async down(): Promise<void> {}
}

const FILL = `
  UPDATE assets SET title_key = natural_key(title), fitness_rules = 0, is_copy = created.is_copy,
      created_by_kind = CASE WHEN created.by_portal_user THEN 'portal_user' ELSE created.actor_kind END,
      created_by_id = created.actor_id, created_by_name = created.actor_name
    FROM (
      SELECT asset.id AS asset_id, event.*, users.id IS NOT NULL AS by_portal_user,
          EXISTS (SELECT FROM assets AS other WHERE other.client_id = asset.client_id AND other.sha256 = asset.sha256 AND other.id < asset.id) AS is_copy
        FROM assets AS asset
        LEFT JOIN LATERAL (
          SELECT actor_kind, actor_id, actor_name FROM events
           WHERE events.client_id = asset.client_id AND subject_id = asset.id::text AND subject_kind = 'asset'
             AND action IN ('asset.create', 'asset.adopt') AND actor_kind IS NOT NULL ORDER BY events.id DESC LIMIT 1) AS event ON true
        LEFT JOIN users ON actor_kind = 'user' AND users.id = actor_id AND role IN ('client_manager', 'client_viewer')
       WHERE asset.id > $1 AND asset.id <= $2) AS created
   WHERE assets.id = created.asset_id AND assets.created_by_kind IS NULL`;
