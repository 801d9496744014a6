import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Columns for who created an asset, the natural order of titles, and finding duplicates. The next migration fills them. */
export class ListingColumns1806000000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(String.raw`
      -- In byte order: 1, 2, 10, without regard to case and accents. Numbers get 16 digits, so longer ones are compared as text.
      -- At most 500 characters, so that an index entry fits a page whatever the text.
      CREATE FUNCTION natural_key(value text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN
        left(regexp_replace(regexp_replace(
          lower(regexp_replace(normalize(value, NFKD), '[\u0300-\u036f]', '', 'g')),
          '[0-9]+', '000000000000000\&', 'g'), '0+([0-9]{16,})', '\1', 'g'), 500);

      ALTER TABLE assets ADD COLUMN title_key text COLLATE "C" NOT NULL DEFAULT '', ADD COLUMN is_copy boolean NOT NULL DEFAULT false,
        ADD COLUMN created_by_kind text, ADD COLUMN created_by_id uuid, ADD COLUMN created_by_name text,
        ADD CONSTRAINT assets_created_by_kind_check CHECK (created_by_kind IN ('portal_user', 'user', 'api_key', 'system')) NOT VALID;

      CREATE FUNCTION set_title_key() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        NEW.title_key := natural_key(NEW.title);
        RETURN NEW;
      END $$;
      CREATE TRIGGER assets_title_key BEFORE INSERT OR UPDATE OF title ON assets FOR EACH ROW EXECUTE FUNCTION set_title_key();
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TRIGGER assets_title_key ON assets;
      DROP FUNCTION set_title_key();
      ALTER TABLE assets DROP COLUMN title_key, DROP COLUMN is_copy,
        DROP COLUMN created_by_kind, DROP COLUMN created_by_id, DROP COLUMN created_by_name;
      DROP FUNCTION natural_key(text);
    `);
  }
}
