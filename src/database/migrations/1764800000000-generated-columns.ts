import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Records the expression of the generated column, as TypeORM does for columns that it creates. TypeORM compares these
 * rows with the entities: without this one, it would propose to build the column again. It creates the table itself,
 * but only while an entity has a generated column.
 */
export class GeneratedColumns1764800000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE IF NOT EXISTS typeorm_metadata
        (type varchar NOT NULL, database varchar, schema varchar, "table" varchar, name varchar, value text);
      INSERT INTO typeorm_metadata (type, database, schema, "table", name, value)
      VALUES ('GENERATED_COLUMN', current_database(), current_schema(), 'assets', 'search', $$to_tsvector('simple', search_text)$$);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      `DELETE FROM typeorm_metadata WHERE type = 'GENERATED_COLUMN' AND "table" = 'assets' AND name = 'search'`,
    );
  }
}
