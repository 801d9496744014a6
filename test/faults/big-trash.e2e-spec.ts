import { ListObjectsV2Command } from '@aws-sdk/client-s3';
import { type Library, type LibraryService, type Json, libraryOn } from '../support/api/library.js';
import { eventually } from '../support/eventually.js';
import { expectProblem } from '../support/api/problems.js';
import { seedFiles } from '../support/database/seed-assets.js';
import { seedInto } from '../support/database/seed-many.js';
import { query, type ServiceProcess, startProcess, storeClient } from '../support/services/service.js';

/** 1,000,000 in the long test run. */
const ASSETS = Number(process.env['TRASH_ASSETS'] ?? 20_000);
/** Far below the statement timeout of 30 s, far above what a busy machine needs. */
const QUICK_MS = 15_000;
const PURGE_MS = 60_000 + ASSETS * 3;

let running: LibraryService<ServiceProcess>;
let library: Library;
let folderId: string;
let inner: string;
/** Assets with objects, spread over both folders. */
let files: { assetId: string; key: string }[];
let single: { assetId: string; key: string };
let outside: { assetId: string; key: string };

describe('A large trash', () => {
  beforeAll(async () => {
    running = await libraryOn(await startProcess({ WORKER: 'inline' }));
    library = running.admin;
    folderId = await library.folder('Huge');
    inner = await library.folder('Inner', folderId);
    await seedInto(running.service.databaseUrl, running.clientId, [folderId, inner], ASSETS);
    const seeded = await seedFiles(running.service, running.clientId, [
      { folderId, title: 'First zebra', tags: ['file'], bytes: Buffer.from('one') },
      { folderId: inner, title: 'Second zebra', tags: ['file'], bytes: Buffer.from('two') },
      { folderId: inner, title: 'Single', tags: ['single'], bytes: Buffer.from('three') },
      { title: 'Outside', tags: ['outside'], bytes: Buffer.from('four') },
    ]);
    files = seeded.slice(0, 2);
    [single, outside] = seeded.slice(2) as [typeof single, typeof outside];
  }, 1_800_000);
  afterAll(() => running?.service.stop());

  const sql = <T = Json>(text: string, values: unknown[] = [running.clientId]) =>
    query<T>(running.service.databaseUrl, text, values);

  async function timed<T>(work: () => Promise<T>): Promise<T> {
    const startedAt = Date.now();
    const result = await work();
    expect(Date.now() - startedAt).toBeLessThan(QUICK_MS);
    return result;
  }

  /** Changes whenever a row of an asset is written. */
  const rowVersions = async () => {
    const [row] = await sql(
      `SELECT count(*)::int, min(xmin::text::bigint)::text AS first, max(xmin::text::bigint)::text AS last
       FROM assets WHERE client_id = $1`,
    );
    return row;
  };

  async function expectHidden(): Promise<void> {
    for (const side of [library, running.portal]) {
      for (const { assetId } of files) {
        for (const path of ['', '/preview', '/preview?size=thumb', '/download'])
          expectProblem(await side.get(`/${assetId}${path}`), 404, 'asset_not_found');
        expectProblem(await side.patch(`/${assetId}`, { title: 'X' }), 404, 'asset_not_found');
        expectProblem(await side.patch(`/${assetId}`, { folderId: null }), 404, 'asset_not_found');
        expectProblem(await side.delete(`/${assetId}`), 404, 'asset_not_found');
        expectProblem(
          await side.post('/bulk', { assetIds: [assetId, outside.assetId], action: 'addTags', tags: ['x'] }),
          409,
          'bulk_failed',
        );
      }
      for (const id of [folderId, inner])
        expectProblem(await side.get(`?folderId=${id}`), 404, 'folder_not_found');
      expect((await side.get('?q=zebra')).body).toMatchObject({ total: 0, assets: [] });
      expect((await side.get('/tags')).body.tags).toEqual([{ tag: 'outside', assets: 1 }]);
      expect([...(await side.tree()).keys()]).toEqual(['Social', 'Social/Posted']);
    }
  }

  async function expectShown(): Promise<void> {
    for (const { assetId } of files) {
      expect((await library.get(`/${assetId}`)).body).toMatchObject({ assetId, version: 1 });
      expect((await library.get(`/${assetId}/download`)).status).toBe(200);
    }
    expect((await library.get('?q=zebra')).body.total).toBe(2);
    expect((await library.get('/tags')).body.tags).toEqual(
      expect.arrayContaining([
        { tag: 'seeded', assets: ASSETS },
        { tag: 'file', assets: 2 },
      ]),
    );
    const tree = await library.tree();
    expect(tree.get('Huge').assets + tree.get('Huge/Inner').assets).toBe(ASSETS + files.length);
  }

  it(`trashes and restores a folder with ${ASSETS} assets immediately, without touching their rows`, async () => {
    const singleBatch = (await library.delete(`/${single.assetId}`)).body.batchId;
    const before = await rowVersions();

    const trashed = await timed(() => library.delete('/folders', { folderId }));
    expect(trashed).toMatchObject({
      status: 200,
      body: { trashedFolders: 2, trashedAssets: ASSETS + files.length },
    });
    await expectHidden();
    expect((await library.get('/trash')).body.items).toMatchObject([
      { folderId, name: 'Huge', folders: 2, assets: ASSETS + files.length },
      { batchId: singleBatch, assets: 1 },
    ]);

    const restored = await timed(() => library.post('/trash/restore', { batchId: trashed.body.batchId }));
    expect(restored).toMatchObject({ status: 200, body: { folders: 2, assets: ASSETS + files.length } });
    await expectShown();
    expect(await rowVersions()).toEqual(before);

    // Trashed by itself, it stays in the trash by itself.
    expectProblem(await library.get(`/${single.assetId}`), 404, 'asset_not_found');
    await library.post('/trash/restore', { batchId: singleBatch });
    expect((await library.get(`/${single.assetId}`)).body.folderId).toBe(inner);
  }, 600_000);

  it(
    `purges ${ASSETS} assets page by page, and continues after being killed`,
    async () => {
      const singleBatch = (await library.delete(`/${single.assetId}`)).body.batchId;
      const { batchId } = (await library.delete('/folders', { folderId })).body;
      expect((await library.delete('/trash', { batchId })).body).toEqual({ batches: 1 });

      const left = async () =>
        Number((await sql('SELECT count(*) FROM assets WHERE client_id = $1'))[0].count);
      await eventually(async () => expect(await left()).toBeLessThan(ASSETS), 60_000);
      await running.service.kill();
      const midway = await left();
      running = { ...running, service: await running.service.restart() };
      // The queue gives the job of a killed worker to another one after a minute.
      await sql(
        `SELECT graphile_worker.force_unlock_workers(array_agg(locked_by)) FROM graphile_worker.jobs
              WHERE locked_by IS NOT NULL HAVING count(*) > 0`,
        [],
      );
      await eventually(async () => expect(await left()).toBe(2), PURGE_MS);
      expect(midway).toBeGreaterThan(2);
      // Upload sessions are detached from the folders page by page, too.
      await eventually(
        async () =>
          expect(await sql('SELECT id FROM trash_batches WHERE client_id = $1')).toEqual([
            { id: singleBatch },
          ]),
        PURGE_MS,
      );
      expect(await sql('SELECT name FROM folders WHERE client_id = $1 ORDER BY name')).toEqual([
        { name: 'Posted' },
        { name: 'Social' },
      ]);

      const store = storeClient();
      const { Contents = [] } = await store.send(
        new ListObjectsV2Command({ Bucket: running.service.bucket, Prefix: `clients/${running.clientId}/` }),
      );
      store.destroy();
      expect(Contents.map(({ Key }) => Key).sort()).toEqual([single.key, outside.key].sort());

      expect((await library.post('/trash/restore', { batchId: singleBatch })).status).toBe(200);
      expect((await library.get(`/${single.assetId}`)).body.folderId).toBeNull();
    },
    PURGE_MS + 300_000,
  );
});
