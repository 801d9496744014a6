import type { MigrationInterface, QueryRunner } from 'typeorm';

const REFERENCE = `kind = 'social_post' AND role IN ('featured', 'attached')`;
const COUNT = `count(DISTINCT (usages.kind, coalesce(usages.post_id, usages.external_id)))`;

/** One use of an asset in one post counts once, whatever its roles. */
export class UsesPerPost1766600200000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE usages ADD COLUMN post_id text;
      LOCK TABLE usages IN SHARE ROW EXCLUSIVE MODE;
      UPDATE usages SET post_id = 'post-' || left(encode(sha256(convert_to(url, 'UTF8')), 'hex'), 32)
       WHERE ${REFERENCE} AND url IS NOT NULL;
      -- Posts that were filed after a reference without an address, in order.
      WITH planned AS (
        SELECT client_id, asset_id, external_id, min(created_at) AS created_at,
               row_number() OVER (PARTITION BY client_id, asset_id ORDER BY min(id::text)) AS number
          FROM usages WHERE ${REFERENCE} AND url IS NULL GROUP BY client_id, asset_id, external_id
      ), posted AS (
        SELECT id, client_id, asset_id, created_at, row_number() OVER (PARTITION BY client_id, asset_id ORDER BY id) AS number
          FROM usages WHERE kind = 'social_post' AND role = 'posted' AND NOT EXISTS (
            SELECT FROM usages addressed
             WHERE addressed.client_id = usages.client_id AND addressed.asset_id = usages.asset_id
               AND addressed.post_id = usages.external_id)
      )
      UPDATE usages SET post_id = planned.external_id
        FROM posted JOIN planned USING (client_id, asset_id, number)
       WHERE usages.id = posted.id AND planned.created_at <= posted.created_at;

      UPDATE assets SET usages = counted.usages
        FROM (SELECT client_id, asset_id, ${COUNT} AS usages FROM usages GROUP BY client_id, asset_id) AS counted
       WHERE assets.client_id = counted.client_id AND assets.id = counted.asset_id AND assets.usages <> counted.usages;

      -- Locks the assets in the order of their ids, so that two transactions wait for each other instead of deadlocking.
      CREATE OR REPLACE FUNCTION change_usage_counts() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        PERFORM FROM assets WHERE (client_id, id) IN (SELECT client_id, asset_id FROM changed)
          ORDER BY id FOR NO KEY UPDATE;
        UPDATE assets SET usages = counted.usages
          FROM (SELECT client_id, asset_id,
                       (SELECT ${COUNT} FROM usages
                         WHERE usages.client_id = used.client_id AND usages.asset_id = used.asset_id) AS usages
                  FROM (SELECT DISTINCT client_id, asset_id FROM changed) AS used) AS counted
         WHERE assets.client_id = counted.client_id AND assets.id = counted.asset_id AND assets.usages <> counted.usages;
        RETURN NULL;
      END $$;
      CREATE TRIGGER usages_count_changed AFTER UPDATE ON usages
        REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION change_usage_counts();
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      LOCK TABLE usages IN SHARE ROW EXCLUSIVE MODE;
      DROP TRIGGER usages_count_changed ON usages;
      CREATE OR REPLACE FUNCTION change_usage_counts() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        PERFORM FROM assets WHERE (client_id, id) IN (SELECT client_id, asset_id FROM changed)
          ORDER BY id FOR NO KEY UPDATE;
        UPDATE assets SET usages = assets.usages + counted.usages * TG_ARGV[0]::integer
          FROM (SELECT client_id, asset_id, count(*) AS usages FROM changed GROUP BY client_id, asset_id) AS counted
         WHERE assets.client_id = counted.client_id AND assets.id = counted.asset_id;
        RETURN NULL;
      END $$;
      UPDATE assets SET usages = counted.usages
        FROM (SELECT client_id, asset_id, count(*) AS usages FROM usages GROUP BY client_id, asset_id) AS counted
       WHERE assets.client_id = counted.client_id AND assets.id = counted.asset_id AND assets.usages <> counted.usages;
      ALTER TABLE usages DROP COLUMN post_id;
    `);
  }
}
