import 'reflect-metadata';
import { randomBytes } from 'node:crypto';
import { DataSource } from 'typeorm';
import { migrationOptions } from '../../src/database/data-source-options.js';
import { migrations } from '../../src/database/migrations/index.js';
import { seedAssets } from '../support/seed-assets.js';
import { query } from '../support/service.js';

let databaseUrl: string;
let source: DataSource;

describe('Migrations', () => {
  beforeEach(async () => {
    const name = `m${randomBytes(6).toString('hex')}`;
    await query(process.env['TEST_DATABASE_URL']!, `CREATE DATABASE ${name}`);
    const url = new URL(process.env['TEST_DATABASE_URL']!);
    url.pathname = `/${name}`;
    databaseUrl = url.toString();
    source = await new DataSource(migrationOptions({ url: databaseUrl })).initialize();
    await source.runMigrations({ transaction: 'each' });
  });
  afterEach(() => source?.destroy());

  const sql = <T = Record<string, unknown>>(text: string, values: unknown[] = []) =>
    query<T>(databaseUrl, text, values);
  const undo = () => source.undoLastMigration({ transaction: 'each' });
  const applied = async () => (await sql('SELECT name FROM migrations ORDER BY id')).length;

  /** Undoes everything that was added after the migration of this name. */
  async function undoDownTo(name: string): Promise<void> {
    for (;;) {
      const [last] = await sql<{ name: string }>('SELECT name FROM migrations ORDER BY id DESC LIMIT 1');
      if (last!.name === name) return;
      await undo();
    }
  }

  async function seedClient(): Promise<{ folderId: string; assetId: string }> {
    await sql(`INSERT INTO clients (id, name) VALUES ('kept', 'Kept')`);
    const [folder] = await sql<{ id: string }>(
      `INSERT INTO folders (id, client_id, name, name_key) VALUES (gen_random_uuid(), 'kept', 'A', 'a') RETURNING id`,
    );
    const [assetId] = await seedAssets(databaseUrl, 'kept', [{ folderId: folder!.id }]);
    return { folderId: folder!.id, assetId: assetId! };
  }

  it('can all be reverted and applied again while nothing would be lost', async () => {
    for (let left = migrations.length; left > 0; left--) {
      expect(await applied()).toBe(left);
      await undo();
    }
    await source.runMigrations({ transaction: 'each' });
    expect(await applied()).toBe(migrations.length);
  });

  it('keep what agents reported, and are not reverted while several clients use the same id', async () => {
    await sql(`INSERT INTO clients (id, name) VALUES ('one', 'One'), ('two', 'Two')`);
    const report = (clientId: string) => {
      const values = `'main', '${clientId}', now()`;
      return sql(`INSERT INTO seo_agents (id, client_id, last_heartbeat_at, state) VALUES (${values}, 'idle');
        INSERT INTO ads_connections (id, client_id, last_checked_at, state, provider) VALUES (${values}, 'error', 'meta')`);
    };
    const counts = () =>
      sql(
        'SELECT (SELECT count(*)::int FROM seo_agents) AS agents, (SELECT count(*)::int FROM ads_connections) AS ads',
      );
    await undoDownTo('ReportedIds1766500000000');
    await undo();
    await report('one');
    await expect(report('two')).rejects.toThrow(/seo_agents_pkey/);
    await source.runMigrations({ transaction: 'each' });
    await report('two');
    expect(await counts()).toEqual([{ agents: 2, ads: 2 }]);
    await undoDownTo('ReportedIds1766500000000');
    await expect(undo()).rejects.toThrow(/seo_agents_pkey/);
    expect(await counts()).toEqual([{ agents: 2, ads: 2 }]);
  });

  it('keep a trashed folder and its contents trashed, whether reverted or applied', async () => {
    const { folderId, assetId } = await seedClient();
    const [alone] = await seedAssets(databaseUrl, 'kept', [{ folderId }]);
    const batches = await sql<{ id: string }>(
      `INSERT INTO trash_batches (id, client_id, name, folders, assets, trashed_by)
       SELECT gen_random_uuid(), 'kept', 'A', 1, 1, 'x' FROM generate_series(1, 2) RETURNING id`,
    );
    await sql('UPDATE folders SET batch_id = $2 WHERE id = $1', [folderId, batches[0]!.id]);
    await sql('UPDATE assets SET batch_id = $2 WHERE id = $1', [alone, batches[1]!.id]);
    const batchOf = async (id: string) =>
      (await sql('SELECT batch_id FROM assets WHERE id = $1', [id]))[0]!['batch_id'];

    await undoDownTo('TrashedFolders1763600000000');
    await undo();
    expect(await batchOf(assetId)).toBe(batches[0]!.id);
    expect(await batchOf(alone!)).toBe(batches[1]!.id);
    await source.runMigrations({ transaction: 'each' });
    expect(await batchOf(assetId)).toBeNull();
    expect(await batchOf(alone!)).toBe(batches[1]!.id);
  });

  it.each([
    [
      'Library1763200000000',
      'trash_batches',
      `INSERT INTO trash_batches (id, client_id, name, folders, assets, trashed_by) VALUES (gen_random_uuid(), 'kept', 'A', 1, 1, 'x')`,
    ],
    [
      'Renditions1763300000000',
      'renditions',
      `INSERT INTO renditions (client_id, asset_id, name, status) SELECT client_id, id, 'thumb.webp', 'making' FROM assets`,
    ],
    [
      'Diagnostics1763400000000',
      'landing_pages',
      `INSERT INTO landing_pages (slug, client_id, url, name) VALUES ('sale', 'kept', 'https://example.com', 'Sale')`,
    ],
    [
      'Usages1764200000000',
      'usages',
      `INSERT INTO usages (id, client_id, asset_id, kind, external_id, surface, role, created_by)
       SELECT gen_random_uuid(), client_id, id, 'seo_post', '1', 'website', 'featured', 'x' FROM assets`,
    ],
    [
      'Targets1764300000000',
      'targets',
      `INSERT INTO targets (id, client_id, kind, name, url, method, state)
       VALUES (gen_random_uuid(), 'kept', 'http', 'Endpoint', 'https://example.com', 'PUT', 'unverified')`,
    ],
    [
      'Deliveries1764400000000',
      'deliveries',
      `WITH target AS (INSERT INTO targets (id, client_id, kind, name, url, method, state)
         VALUES (gen_random_uuid(), 'kept', 'http', 'Endpoint', 'https://example.com', 'PUT', 'unverified') RETURNING id)
       INSERT INTO deliveries (id, client_id, asset_id, target_id, surface, rendition, identity, title, alt_text, caption, description,
           status, created_by)
         SELECT gen_random_uuid(), 'kept', gen_random_uuid(), id, 'website', 'original', 'original', '', '', '', '', 'failed', 'x'
           FROM target`,
    ],
    ['Uploads1763100000000', 'assets', 'SELECT 1'],
    ['Foundation1763000000000', 'clients', 'DELETE FROM assets; DELETE FROM upload_sessions'],
  ])('%s is not reverted while there are rows in %s', async (name, table, change) => {
    await seedClient();
    await sql(change);
    await undoDownTo(name);
    const before = await sql(`SELECT * FROM ${table}`);
    await expect(undo()).rejects.toThrow(`rows in ${table}`);
    expect(await sql(`SELECT * FROM ${table}`)).toEqual(before);
    expect(before.length).toBeGreaterThan(0);
  });

  it('Usages1764200000000 is not reverted while a key is limited to surfaces', async () => {
    await undoDownTo('Usages1764200000000');
    await sql(
      `INSERT INTO api_keys (id, name, key_hash, role, surfaces) VALUES (gen_random_uuid(), 'x', 'x', 'agent', '{social}')`,
    );
    await expect(undo()).rejects.toThrow('limited to surfaces');
    await sql('UPDATE api_keys SET revoked_at = now()');
    await undo();
  });
});
