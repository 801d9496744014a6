import 'reflect-metadata';
import { randomBytes } from 'node:crypto';
import { DataSource } from 'typeorm';
import { migrationOptions } from '../../src/database/data-source-options.js';
import { query } from '../support/services/service.js';

let migrated: DataSource;
/** An empty database in which TypeORM has created what the entities declare. */
let declared: DataSource;

beforeAll(async () => {
  [migrated, declared] = await Promise.all([connect(), connect()]);
  await migrated.runMigrations({ transaction: 'each' });
  await declared.synchronize();
});
afterAll(() => Promise.all([migrated?.destroy(), declared?.destroy()]));

async function connect(): Promise<DataSource> {
  const name = `d${randomBytes(6).toString('hex')}`;
  await query(process.env['TEST_DATABASE_URL']!, `CREATE DATABASE ${name}`);
  const url = new URL(process.env['TEST_DATABASE_URL']!);
  url.pathname = `/${name}`;
  return new DataSource(migrationOptions({ url: url.toString() })).initialize();
}

const tables = () => migrated.entityMetadatas.map(({ tableName }) => tableName);

/** Indexes that TypeORM cannot express: on expressions, with INCLUDE, in descending order, or not a B-tree. Entities only name them. */
const namedOnly = (): string[] =>
  migrated.entityMetadatas.flatMap(({ indices }) =>
    indices.filter(({ synchronize }) => !synchronize).map(({ name }) => name),
  );

async function columnsOf(source: DataSource): Promise<string[]> {
  const rows = await source.query<{ line: string }[]>(
    `SELECT concat_ws(' ', c.relname || '.' || a.attname, format_type(a.atttypid, a.atttypmod), CASE WHEN a.attnotnull THEN 'NOT NULL' END,
            CASE WHEN a.attgenerated <> '' THEN 'GENERATED' END, 'DEFAULT ' || pg_get_expr(d.adbin, d.adrelid)) AS line
       FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid LEFT JOIN pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum
      WHERE c.relnamespace = 'public'::regnamespace AND c.relname = ANY($1) AND a.attnum > 0 AND NOT a.attisdropped`,
    [tables()],
  );
  return rows.map(({ line }) => line).sort();
}

async function constraintsOf(source: DataSource): Promise<string[]> {
  const rows = await source.query<{ line: string }[]>(
    `SELECT concat_ws(' ', c.relname, CASE WHEN k.contype <> 'p' THEN k.conname END, pg_get_constraintdef(k.oid)) AS line
       FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid
      WHERE c.relnamespace = 'public'::regnamespace AND c.relname = ANY($1) AND k.contype IN ('c', 'f', 'p', 'u')`,
    [tables()],
  );
  return rows.map(({ line }) => normalized(line)).sort();
}

/** TypeORM cannot express which columns ON DELETE sets to null, and the order of a list of values does not matter. */
function normalized(definition: string): string {
  return definition
    .replace(/(ON DELETE SET NULL) \(\w+\)/, '$1')
    .replace(/ARRAY\[([^\]]*)\]/g, (_all, list: string) => `ARRAY[${list.split(', ').sort().join(', ')}]`);
}

async function indexesOf(source: DataSource): Promise<{ name: string; definition: string }[]> {
  return source.query(
    `SELECT i.indexname AS name, i.indexdef AS definition FROM pg_indexes i
      WHERE i.schemaname = 'public' AND i.tablename = ANY($1)
        AND NOT EXISTS (SELECT 1 FROM pg_constraint k WHERE k.conname = i.indexname) ORDER BY 1`,
    [tables()],
  );
}

describe('the schema that the migrations create', () => {
  it('leaves nothing for migration:generate to do', async () => {
    const { upQueries } = await migrated.driver.createSchemaBuilder().log();
    expect(upQueries.map((each) => each.query)).toEqual([]);
  });

  it('has the columns that the entities declare, with their types, nullability and defaults', async () => {
    expect(await columnsOf(migrated)).toEqual(await columnsOf(declared));
  });

  it('has one generated column', async () => {
    const columns = await columnsOf(migrated);
    expect(columns.filter((column) => column.includes(' GENERATED '))).toEqual([
      "assets.search tsvector GENERATED DEFAULT to_tsvector('simple'::regconfig, search_text)",
    ]);
  });

  it('has the keys and checks that the entities declare', async () => {
    expect(await constraintsOf(migrated)).toEqual(await constraintsOf(declared));
  });

  it('has the indexes that the entities declare', async () => {
    const names = namedOnly();
    const existing = await indexesOf(migrated);
    expect(existing.filter(({ name }) => !names.includes(name))).toEqual(await indexesOf(declared));
    expect(existing.map(({ name }) => name)).toEqual(expect.arrayContaining(names));
  });
});
