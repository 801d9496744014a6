/**
 * The expression of the generated column, as TypeORM records it for columns that it creates. TypeORM compares these rows with the
 * entities: without this one, it would propose to build the column again. It creates the table itself, but only while an entity has a
 * generated column.
 */
export const TYPEORM_METADATA = `
  CREATE TABLE IF NOT EXISTS typeorm_metadata
    (type varchar NOT NULL, database varchar, schema varchar, "table" varchar, name varchar, value text);
  INSERT INTO typeorm_metadata (type, database, schema, "table", name, value)
  VALUES ('GENERATED_COLUMN', current_database(), current_schema(), 'assets', 'search', $$to_tsvector('simple', search_text)$$);
`;
