import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Facts about the file beyond its size, the focal point for crops, and where the file can be published. */
export class SurfaceFitness1764500000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      SET LOCAL maintenance_work_mem = '256MB';
      -- media_facts: null for assets that were uploaded before.
      -- fitness: as the API returns it (json keeps the text, so that listings need not serialize it again); null until it is computed.
      -- fit_for: the surfaces and channels on which it can be published.
      -- fitness_rules: the version of the rules it was checked with; 0 if it has not been checked.
      ALTER TABLE assets
        ADD COLUMN media_facts jsonb,
        ADD COLUMN focal_point jsonb,
        ADD COLUMN fitness json,
        ADD COLUMN fit_for text[],
        ADD COLUMN fitness_rules integer NOT NULL DEFAULT 0;
      DROP INDEX assets_by_filter;
      CREATE INDEX assets_by_filter ON assets USING gin (client_id, folder_id, tags, mime_type, allowed_surfaces, fit_for)
        WHERE batch_id IS NULL;
      CREATE INDEX assets_by_fitness_rules ON assets (fitness_rules);
    `);
  }

  /** Everything here can be recomputed, except the focal points that people set. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query('LOCK TABLE assets IN ACCESS EXCLUSIVE MODE');
    const rows = (await runner.query(
      'SELECT 1 FROM assets WHERE focal_point IS NOT NULL LIMIT 1',
    )) as unknown[];
    if (rows.length > 0)
      throw new Error(
        'This migration cannot be reverted while there are rows in assets with focal points: they would be lost.',
      );
    await runner.query(`
      DROP INDEX assets_by_filter;
      ALTER TABLE assets
        DROP COLUMN media_facts,
        DROP COLUMN focal_point,
        DROP COLUMN fitness,
        DROP COLUMN fit_for,
        DROP COLUMN fitness_rules;
      CREATE INDEX assets_by_filter ON assets USING gin (client_id, folder_id, tags, mime_type, allowed_surfaces)
        WHERE batch_id IS NULL;
    `);
  }
}
