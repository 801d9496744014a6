import 'reflect-metadata';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DataSource } from 'typeorm';
import { migrationOptions } from '../../src/database/data-source-options.js';
import { Baseline1763000000000 } from '../../src/database/migrations/1763000000000-baseline.js';
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
