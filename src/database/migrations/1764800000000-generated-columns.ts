import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Records the expression of the generated column, as TypeORM does for columns that it creates. TypeORM creates this
 * table before the first migration, and compares its contents with the entities: without this row, it would propose to
 * build the column again.
 */
export class GeneratedColumns1764800000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      INSERT INTO typeorm_metadata (type, database, schema, "table", name, value)
      VALUES ('GENERATED_COLUMN', current_database(), current_schema(), 'assets', 'search', $$to_tsvector('simple', search_text)$$);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DELETE FROM typeorm_metadata WHERE "table" = 'assets' AND name = 'search'`);
  }
}
