import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Stores the number of usages with each asset, so that listings of used and unused assets need not look them up. */
export class UsageCounts1764700000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      SET LOCAL maintenance_work_mem = '256MB';
      ALTER TABLE assets ADD COLUMN usages integer NOT NULL DEFAULT 0;
      LOCK TABLE usages IN SHARE ROW EXCLUSIVE MODE;
      UPDATE assets SET usages = counted.usages
        FROM (SELECT client_id, asset_id, count(*) AS usages FROM usages GROUP BY client_id, asset_id) AS counted
       WHERE assets.client_id = counted.client_id AND assets.id = counted.asset_id;
      CREATE INDEX assets_by_use ON assets (client_id, (usages > 0)) WHERE batch_id IS NULL;

      -- Locks the assets in the order of their ids, so that two transactions wait for each other instead of deadlocking.
      CREATE FUNCTION change_usage_counts() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        PERFORM FROM assets WHERE (client_id, id) IN (SELECT client_id, asset_id FROM changed)
          ORDER BY id FOR NO KEY UPDATE;
        UPDATE assets SET usages = assets.usages + counted.usages * TG_ARGV[0]::integer
          FROM (SELECT client_id, asset_id, count(*) AS usages FROM changed GROUP BY client_id, asset_id) AS counted
         WHERE assets.client_id = counted.client_id AND assets.id = counted.asset_id;
        RETURN NULL;
      END $$;
      CREATE TRIGGER usages_count_added AFTER INSERT ON usages
        REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION change_usage_counts('1');
      CREATE TRIGGER usages_count_removed AFTER DELETE ON usages
        REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION change_usage_counts('-1');
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TRIGGER usages_count_added ON usages;
      DROP TRIGGER usages_count_removed ON usages;
      DROP FUNCTION change_usage_counts;
      ALTER TABLE assets DROP COLUMN usages;
    `);
  }
}
