import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What is known of a file beyond its size, where people want it cropped, and where it can be published. */
export class SurfaceFitness1764500000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      SET LOCAL maintenance_work_mem = '256MB';
      -- media_facts: null for assets that were uploaded before.
      -- fitness: as the API shows it (json keeps the text, so that listings need not write it anew); null until it is judged.
      -- fit_for: the surfaces and channels that it can be published on.
      -- fitness_rules: the version of the rules that judged it; 0 when none has.
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

  /** Everything here can be found out again, except what people chose. */
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
