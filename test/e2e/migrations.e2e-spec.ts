import 'reflect-metadata';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DataSource } from 'typeorm';
import { migrationOptions } from '../../src/database/data-source-options.js';
import { Baseline1763000000000 } from '../../src/database/migrations/1763000000000-baseline.js';
import { ListingColumns1806000000000 } from '../../src/database/migrations/1806000000000-listing-columns.js';
import { FillListingColumns1806000000001 } from '../../src/database/migrations/1806000000001-fill-listing-columns.js';
import { migrations } from '../../src/database/migrations/index.js';
import { schemaOf } from '../support/database/schema-of.js';
import { runJob } from '../support/services/background.js';
import { query, startService } from '../support/services/service.js';

const BEFORE_BASELINE = readFileSync(join(__dirname, '../fixtures/database/before-baseline.sql'), 'utf8');
const sources: DataSource[] = [];

afterEach(() => Promise.all(sources.splice(0).map((source) => source.destroy())));

async function newDatabase(template = 'template1'): Promise<string> {
  const name = `m${randomBytes(6).toString('hex')}`;
  await query(process.env['TEST_DATABASE_URL']!, `CREATE DATABASE ${name} TEMPLATE ${template}`);
  const url = new URL(process.env['TEST_DATABASE_URL']!);
  url.pathname = `/${name}`;
  return url.toString();
}

async function connect(url: string, only = migrations): Promise<DataSource> {
  const source = await new DataSource({ ...migrationOptions({ url }), migrations: only }).initialize();
  sources.push(source);
  return source;
}

async function migrate(url: string, only = migrations): Promise<DataSource> {
  const source = await connect(url, only);
  await source.runMigrations({ transaction: 'each' });
  return source;
}

const applied = async (url: string) =>
  (await query<{ name: string }>(url, 'SELECT name FROM migrations ORDER BY id')).map(({ name }) => name);

describe('Migrations', () => {
  it('can be reverted down to the baseline and applied again', async () => {
    const url = await newDatabase();
    const source = await migrate(url);
    for (let left = migrations.length; left > 1; left--) {
      expect(await applied(url)).toHaveLength(left);
      await source.undoLastMigration({ transaction: 'each' });
    }
    await expect(source.undoLastMigration({ transaction: 'each' })).rejects.toThrow('cannot be reverted');
    await source.runMigrations({ transaction: 'each' });
    expect(await applied(url)).toEqual(migrations.map(({ name }) => name));
  });
});

describe('A library from before 0.3.0', () => {
  it('gets the creators of its assets from the audit events, and the natural order of their titles', async () => {
    const url = await newDatabase();
    const start = migrations.indexOf(ListingColumns1806000000000);
    await migrate(url, migrations.slice(0, start));
    const id = (n: number) => `0198a3c4-7b1e-7cc0-8f5e-${String(n).padStart(12, '0')}`;
    await query(url, `INSERT INTO clients (id, name) VALUES ('one', 'One'), ('two', 'Two')`);
    await query(
      url,
      `INSERT INTO users (id, email, name, role, client_ids) VALUES
         ('${id(1)}', 'staff@test.example', 'Staff', 'operator', NULL), ('${id(2)}', 'client@test.example', 'Client', 'client_manager', '{one}')`,
    );
    await query(
      url,
      `INSERT INTO assets (id, client_id, session_id, attempt, title, description, alt_text, tags, allowed_surfaces, original_filename,
           mime_type, size_bytes, sha256, width, height, fitness_rules)
         SELECT ('0198a3c4-7b1e-7cc0-8f5e-' || lpad(n::text, 12, '0'))::uuid, 'one', gen_random_uuid(), gen_random_uuid(), 'Ä ' || n, '', '',
           '{}', '{}', 'a.jpg', 'image/jpeg', 1, 'hash ' || n / 2, 1, 1, 20260101 FROM generate_series(10, 15) n`,
    );
    const event = (subject: number, kind: string, actor: number | null, action: string, client = 'one') =>
      query(
        url,
        `INSERT INTO events (id, client_id, actor_kind, actor_id, actor_name, action, subject_kind, subject_id)
           VALUES (gen_random_uuid(), $1, $2, $3, $4, $5, 'asset', $6)`,
        [client, kind, actor && id(actor), `name ${actor}`, action, id(subject)],
      );
    await event(10, 'user', 1, 'asset.create');
    await event(10, 'user', 2, 'asset.update');
    await event(11, 'user', 2, 'asset.create');
    await event(12, 'api_key', 3, 'asset.create');
    await event(13, 'system', null, 'asset.adopt');
    await event(14, 'user', 1, 'asset.create', 'two');

    const read = () =>
      query<Record<string, unknown>>(
        url,
        `SELECT title_key AS title, created_by_kind AS kind, created_by_id AS id, created_by_name AS name, is_copy, fitness_rules AS rules
           FROM assets ORDER BY assets.id`,
      );
    const row = (n: number, kind: string | null, by: number | null, name: string | null) => ({
      ...{ title: `a ${String(n).padStart(16, '0')}`, kind, id: by && id(by), name },
      ...{ is_copy: n % 2 === 1, rules: 0 },
    });
    const filled = [
      row(10, 'user', 1, 'name 1'),
      row(11, 'portal_user', 2, 'name 2'),
      row(12, 'api_key', 3, 'name 3'),
      row(13, 'system', null, 'name null'),
      row(14, null, null, null),
      row(15, null, null, null),
    ];
    await migrate(url);
    expect(await read()).toEqual(filled);
    // Filling starts over if it was interrupted.
    const source = await connect(url);
    const runner = source.createQueryRunner();
    await query(url, 'UPDATE assets SET title_key = $1, created_by_kind = NULL WHERE size_bytes = 1', ['']);
    await new FillListingColumns1806000000001().up(runner);
    await runner.release();
    expect(await read()).toEqual(filled);
  });
});

describe('A database from before the baseline', () => {
  async function rowsOf(url: string): Promise<Record<string, string[]>> {
    const tables = await query<{ name: string }>(
      url,
      `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'
          AND relname <> 'migrations' ORDER BY 1`,
    );
    const rows: Record<string, string[]> = {};
    for (const { name } of tables)
      rows[name] = (await query<{ row: string }>(url, `SELECT t::text AS row FROM ${name} t ORDER BY 1`)).map(
        ({ row }) => row,
      );
    return rows;
  }

  it('keeps its rows and has the schema of a new one', async () => {
    const [old, fresh] = [await newDatabase(process.env['TEST_TEMPLATE_DATABASE']), await newDatabase()];
    // The tables of the queue stay.
    await query(old, 'DROP SCHEMA public CASCADE; CREATE SCHEMA public');
    await query(old, BEFORE_BASELINE);
    const before = await rowsOf(old);
    expect(Object.entries(before).filter(([, rows]) => rows.length === 0)).toEqual([]);
    for (const url of [old, fresh]) {
      await migrate(url, [Baseline1763000000000]);
      expect(await applied(url)).toEqual(['Baseline1763000000000']);
    }
    expect(await rowsOf(old)).toEqual(before);
    expect(await schemaOf(old)).toEqual(await schemaOf(fresh));
    await migrate(old);
    expect((await applied(old)).sort()).toEqual(migrations.map(({ name }) => name).sort());
    expect(await query(old, 'SELECT settings, credentials FROM targets ORDER BY id')).toEqual([
      { settings: { url: 'https://example.com', method: 'PUT' }, credentials: null },
      {
        settings: { baseUrl: 'https://example.org', restRoot: null, username: 'editor' },
        credentials: 'sealed',
      },
    ]);
  });

  it('has queued jobs that no longer exist, which end', async () => {
    const service = await startService({ WORKER: 'inline' });
    for (const job of ['check-renditions', 'deliver']) await runJob(service, job);
    await service.stop();
  });

  it('is refused, unchanged, while it lacks one of the replaced migrations', async () => {
    const url = await newDatabase();
    await query(url, BEFORE_BASELINE);
    await query(url, `DELETE FROM migrations WHERE name = 'AuditBySubject1805300000000'`);
    const before = [await rowsOf(url), await schemaOf(url), await applied(url)];
    await expect(migrate(url)).rejects.toThrow('has 28 of the 29 migrations of version 0.1.0');
    expect([await rowsOf(url), await schemaOf(url), await applied(url)]).toEqual(before);
  });
});
