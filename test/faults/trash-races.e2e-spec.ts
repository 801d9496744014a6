import { DeleteObjectCommand, DeleteObjectsCommand, ListObjectsV2Command } from '@aws-sdk/client-s3';
import { drainQueue } from '../support/services/background.js';
import { FaultProxy } from '../support/faults/fault-proxy.js';
import {
  waitUntil,
  type Json,
  type Library,
  type LibraryService,
  newLibrary,
  startLibrary,
} from '../support/api/library.js';
import { expectProblem } from '../support/api/problems.js';
import { seedAssets, type SeededFile, seedFiles } from '../support/database/seed-assets.js';
import { query, type Service, storeClient } from '../support/services/service.js';
import { TcpProxy } from '../support/faults/tcp-proxy.js';

let running: LibraryService<Service>;
let library: Library;
beforeAll(async () => (running = await startLibrary({ WORKER: 'inline' })));
afterAll(() => running?.service.stop());
beforeEach(async () => {
  running = { ...running, ...(await newLibrary(running.owner)) };
  library = running.admin;
});

/** Batches that differ from the content of the folder when it was trashed: an asset was added or removed afterwards. */
const stranded = () =>
  query(
    running.service.databaseUrl,
    `SELECT b.id FROM trash_batches b WHERE b.folder_id IS NOT NULL AND b.assets <> (
       SELECT count(*) FROM assets a JOIN folders f ON f.id = a.folder_id WHERE f.batch_id = b.id AND a.batch_id IS NULL)`,
  );

describe('a folder trashed while', () => {
  it('uploads wait for their finalize: they go to the top level', async () => {
    const folderId = await library.folder('Gone');
    const { uploadToken } = await library.upload({ folderId });
    await library.delete('/folders', { folderId });
    const { status, body } = await library.finalize(uploadToken);
    expect({ status, folderId: body.folderId }).toEqual({ status: 201, folderId: null });
  });

  it('a finalize names it: rejected, and the upload can be finalized again', async () => {
    const folderId = await library.folder('Gone');
    const { uploadToken } = await library.upload();
    await library.delete('/folders', { folderId });
    expectProblem(await library.finalize(uploadToken, { folderId }), 404, 'folder_not_found');
    expect((await library.finalize(uploadToken)).status).toBe(201);
  });

  it('assets are finalized into it: each is in the batch or at the top level', async () => {
    const folderId = await library.folder('Race');
    const uploads = await Promise.all(Array.from({ length: 6 }, () => library.upload({ folderId })));
    const [trashed, ...finalized] = await Promise.all([
      new Promise((resolve) => setTimeout(resolve, 60)).then(() => library.delete('/folders', { folderId })),
      ...uploads.map(({ uploadToken }) => library.finalize(uploadToken)),
    ]);
    expect(finalized.map(({ status }) => status)).toEqual(Array(6).fill(201));
    expect(await stranded()).toEqual([]);
    const atTop = (await library.get()).body.total;
    expect(trashed.body.trashedAssets + atTop).toBe(6);
  });

  it('assets are moved into and out of it: none is stranded, none is lost, no request fails', async () => {
    for (let round = 0; round < 5; round++) {
      const [from, to] = [await library.folder(`From ${round}`), await library.folder(`To ${round}`)];
      const ids = await seedAssets(
        running.service.databaseUrl,
        running.clientId,
        Array.from({ length: 10 }, (_, index) => ({ folderId: index % 2 ? from : to })),
      );
      const responses = await Promise.all([
        ...ids.slice(0, 6).map((id, index) => library.patch(`/${id}`, { folderId: index % 2 ? to : from })),
        library.post('/bulk', { assetIds: ids.slice(6), action: 'move', folderId: to }),
        library.delete('/folders', { folderId: to }),
        library.delete('/folders', { folderId: from }),
      ]);
      for (const { status, body } of responses) {
        if (status === 200) continue;
        expect([404, 409]).toContain(status);
        expect(['asset_not_found', 'folder_not_found', 'bulk_failed']).toContain(body.code);
      }
      expect(responses.slice(-2).map(({ status }) => status)).toEqual([200, 200]);
      expect(await stranded()).toEqual([]);
    }
  });

  it('assets in it are trashed individually and edited: each is in one batch, and everything is restored', async () => {
    for (let round = 0; round < 4; round++) {
      const folderId = await library.folder(`Round ${round}`);
      const ids = await seedAssets(
        running.service.databaseUrl,
        running.clientId,
        Array.from({ length: 8 }, () => ({ folderId })),
      );
      const responses = await Promise.all([
        ...ids.slice(0, 3).map((id) => library.delete(`/${id}`)),
        library.post('/bulk', { assetIds: ids.slice(3, 5), action: 'trash' }),
        library.delete('/folders', { folderId }),
        ...ids.slice(5).map((id) => library.patch(`/${id}`, { title: 'Edited' })),
      ]);
      for (const { status, body } of responses) {
        if (status === 200) continue;
        expect([404, 409]).toContain(status);
        expect(['asset_not_found', 'bulk_failed']).toContain(body.code);
      }
      expect(responses[4]!.status).toBe(200);
      expect(await stranded()).toEqual([]);
      const { items } = (await library.get('/trash')).body;
      if (round % 2) items.reverse();
      for (const { batchId } of items)
        expect((await library.post('/trash/restore', { batchId })).status).toBe(200);
      for (const id of ids) expect((await library.get(`/${id}`)).status).toBe(200);
    }
  });

  it('its batch is restored and trashed repeatedly: nothing is lost', async () => {
    const folderId = await library.folder('Pendulum');
    await seedAssets(running.service.databaseUrl, running.clientId, [{ folderId }, { folderId }]);
    const swing = async () => {
      for (let round = 0; round < 6; round++) {
        await library.delete('/folders', { folderId });
        for (const { batchId } of (await library.get('/trash')).body.items)
          await library.post('/trash/restore', { batchId });
      }
    };
    await Promise.all([swing(), swing(), swing()]);
    for (const { batchId } of (await library.get('/trash')).body.items)
      await library.post('/trash/restore', { batchId });
    const [folder] = [...(await library.tree()).values()].filter(({ name }) => name.startsWith('Pendulum'));
    expect(folder).toMatchObject({ folderId, assets: 2 });
    expect(await stranded()).toEqual([]);
  });
});

describe('the worker', () => {
  let apart: Service | undefined;
  let faulty: FaultProxy | undefined;
  afterEach(async () => {
    await apart?.stop();
    await faulty?.close();
    apart = faulty = undefined;
  });

  it('purges what is older than the retention period, and only that', async () => {
    const lib = await startLibrary({ WORKER: 'inline', TRASH_RETENTION_SECONDS: '3600' });
    apart = lib.service;
    const [old, fresh] = [await lib.admin.folder('Old'), await lib.admin.folder('Fresh')];
    const batches: { batchId: string; restorableUntil: string }[] = [];
    for (const folderId of [old, fresh])
      batches.push((await lib.admin.delete('/folders', { folderId })).body);
    const sql = (text: string, values: unknown[]) => query(lib.service.databaseUrl, text, values);
    await sql(`UPDATE trash_batches SET trashed_at = now() - interval '61 minutes' WHERE id = $1`, [
      batches[0]!.batchId,
    ]);
    await sql(`SELECT graphile_worker.add_job('empty-trash', '{}'::json)`, []);
    await waitUntil(
      async () =>
        (await sql('SELECT 1 FROM trash_batches WHERE id = $1', [batches[0]!.batchId])).length === 0,
      'the old batch is purged',
    );
    expect((await lib.admin.get('/trash')).body.items).toMatchObject([{ batchId: batches[1]!.batchId }]);
    expect(Date.parse(batches[1]!.restorableUntil) - Date.now()).toBeLessThanOrEqual(3_600_000);
  });

  it('keeps the records as long as the store does not delete the objects', async () => {
    const proxy = await TcpProxy.to(process.env['TEST_STORE_ENDPOINT']!);
    const lib = await startLibrary({
      WORKER: 'inline',
      STORAGE_ENDPOINT: proxy.via(process.env['TEST_STORE_ENDPOINT']!),
    });
    apart = lib.service;
    const [file] = await seedFiles(lib.service, lib.clientId, [{ bytes: Buffer.from('bytes') }]);
    const { batchId } = (await lib.admin.delete(`/${file!.assetId}`)).body;
    await proxy.set('refuse');
    await lib.admin.delete('/trash', { batchId });
    const job = async () =>
      (
        await query<{ attempts: number; last_error: string | null }>(
          lib.service.databaseUrl,
          `SELECT attempts, last_error FROM graphile_worker.jobs WHERE task_identifier = 'purge-trash'`,
        )
      )[0];
    await waitUntil(async () => (await job())?.last_error != null, 'the purge has failed once', 40);
    const records = () =>
      query(lib.service.databaseUrl, 'SELECT id FROM assets WHERE id = $1', [file!.assetId]);
    expect(await records()).toHaveLength(1);
    await proxy.set('pass');
    await query(lib.service.databaseUrl, 'UPDATE graphile_worker._private_jobs SET run_at = now()');
    await waitUntil(async () => (await records()).length === 0, 'the record is gone', 30);
    const store = storeClient();
    const left = await store.send(
      new ListObjectsV2Command({ Bucket: lib.service.bucket, Prefix: 'clients/' }),
    );
    store.destroy();
    expect(left.Contents ?? []).toEqual([]);
    await proxy.close();
  });

  it('keeps a batch in the trash while the store fails to delete one of its objects', async () => {
    const proxy = (faulty = await FaultProxy.to(process.env['TEST_STORE_ENDPOINT']!));
    const lib = await startLibrary({ WORKER: 'inline', STORAGE_ENDPOINT: proxy.endpoint });
    apart = lib.service;
    const sql = (text: string, values: unknown[] = []) => query<Json>(lib.service.databaseUrl, text, values);
    const outer = await lib.admin.folder('Outer');
    const inner = await lib.admin.folder('Inner', outer);
    // Folders are purged in the order of their ids: the object in the first one fails, and the second succeeds.
    const [first, second] = [outer, inner].sort() as [string, string];
    const [refused, other, last] = (await seedFiles(lib.service, lib.clientId, [
      { folderId: first, title: 'Refused', bytes: Buffer.from('one') },
      { folderId: first, bytes: Buffer.from('two') },
      { folderId: second, bytes: Buffer.from('three') },
    ])) as [SeededFile, SeededFile, SeededFile];
    const store = storeClient();
    proxy.on(
      { method: 'POST', query: /^delete/ },
      {
        respond: async (body) => {
          const Objects = [other, last]
            .filter(({ key }) => body.includes(key))
            .map(({ key }) => ({ Key: key }));
          if (Objects.length > 0)
            await store.send(new DeleteObjectsCommand({ Bucket: lib.service.bucket, Delete: { Objects } }));
          const error = `<Error><Key>${refused.key}</Key><Code>AccessDenied</Code></Error>`;
          return `<DeleteResult>${body.includes(refused.key) ? error : ''}</DeleteResult>`;
        },
      },
    );
    const { batchId } = (await lib.admin.delete('/folders', { folderId: outer })).body;
    await lib.admin.delete('/trash', { batchId });
    const purged = () =>
      sql(`SELECT 1 FROM events WHERE action = 'trash.purged' AND subject_id = $1`, [batchId]);
    const failed = () => sql(`SELECT 1 FROM graphile_worker.jobs WHERE last_error LIKE '%failed to delete%'`);
    await waitUntil(
      async () => (await failed()).length > 0 || (await purged()).length > 0,
      'the purge has run once',
    );

    expectProblem(await lib.admin.get(`/${refused.assetId}`), 404, 'asset_not_found');
    expect((await lib.admin.get()).body).toMatchObject({ total: 0, assets: [] });
    expect((await lib.admin.get('?q=refused')).body).toMatchObject({ total: 0, assets: [] });
    expect(await purged()).toEqual([]);
    expect(await failed()).toHaveLength(1);
    expect(await sql('SELECT id, folder_id FROM assets')).toEqual([
      { id: refused.assetId, folder_id: first },
    ]);
    expect(await sql('SELECT id FROM folders WHERE batch_id = $1', [batchId])).toHaveLength(2);

    proxy.heal();
    await drainQueue(lib.service);
    expect(await purged()).toHaveLength(1);
    expect(await sql('SELECT id FROM assets')).toEqual([]);
    expect(await sql('SELECT id FROM folders WHERE system_key IS NULL')).toEqual([]);
    expect(await sql('SELECT id FROM trash_batches')).toEqual([]);
    const left = await store.send(
      new ListObjectsV2Command({ Bucket: lib.service.bucket, Prefix: 'clients/' }),
    );
    store.destroy();
    expect(left.Contents ?? []).toEqual([]);
  });

  it('purges a record whose object is already gone', async () => {
    const [file] = await seedFiles(running.service, running.clientId, [{ bytes: Buffer.from('bytes') }]);
    const store = storeClient();
    await store.send(new DeleteObjectCommand({ Bucket: running.service.bucket, Key: file!.key }));
    store.destroy();
    await library.delete(`/${file!.assetId}`);
    await library.delete('/trash');
    await waitUntil(
      async () =>
        (await query(running.service.databaseUrl, 'SELECT 1 FROM assets WHERE id = $1', [file!.assetId]))
          .length === 0,
      'the record is gone',
    );
  });
});
