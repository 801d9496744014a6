import { GetObjectCommand, ListObjectsV2Command, PutObjectCommand } from '@aws-sdk/client-s3';
import { runJob } from '../support/services/background.js';
import { MARKER } from '../support/store/bucket.js';
import {
  waitUntil,
  type Library,
  type LibraryService,
  newLibrary,
  sharedLibrary,
} from '../support/api/library.js';
import { expectProblem } from '../support/api/problems.js';
import { seedAssets, type SeededFile, seedFiles } from '../support/database/seed-assets.js';
import { query, storeClient } from '../support/services/service.js';

let running: LibraryService;
let library: Library;
const UNKNOWN = '00000000-0000-7000-8000-000000000000';
const store = storeClient();
beforeAll(async () => (running = await sharedLibrary({ WORKER: 'inline' })));
afterAll(() => store.destroy());
beforeEach(async () => {
  running = { ...running, ...(await newLibrary(running.owner)) };
  library = running.admin;
});

const sql = (text: string, values: unknown[] = []) => query(running.service.databaseUrl, text, values);
const seed = async (folderId: string | null = null, title = 'Asset') =>
  (
    await seedAssets(running.service.databaseUrl, running.clientId, [{ folderId, title, tags: ['tagged'] }])
  )[0]!;
const trashFolder = async (folderId: string): Promise<string> =>
  (await library.delete('/folders', { folderId })).body.batchId;
const trashAsset = async (assetId: string): Promise<string> =>
  (await library.delete(`/${assetId}`)).body.batchId;
const restore = (batchId: string) => library.post('/trash/restore', { batchId });
const paths = async () => [...(await library.tree()).keys()].filter((path) => !path.startsWith('Social'));
const folderOf = async (assetId: string) => (await library.get(`/${assetId}`)).body.folderId;

async function objectKeys(): Promise<string[]> {
  const page = await store.send(
    new ListObjectsV2Command({ Bucket: running.service.bucket, Prefix: `clients/${running.clientId}/` }),
  );
  return (page.Contents ?? []).map(({ Key }) => Key!);
}

const batchIsGone = async (batchId: string) =>
  (await sql('SELECT 1 FROM trash_batches WHERE id = $1', [batchId])).length === 0;

describe('what is in the trash', () => {
  it('is gone from everywhere else, on both sides', async () => {
    const folderId = await library.folder('Gone');
    const [file] = await seedFiles(running.service, running.clientId, [
      { folderId, title: 'Hidden', tags: ['hidden'], bytes: Buffer.from('bytes') },
    ]);
    await trashFolder(folderId);
    for (const side of [library, running.portal]) {
      expectProblem(await side.get(`/${file!.assetId}`), 404, 'asset_not_found');
      expectProblem(await side.get(`/${file!.assetId}/download`), 404, 'asset_not_found');
      expectProblem(await side.patch(`/${file!.assetId}`, { title: 'X' }), 404, 'asset_not_found');
      expectProblem(await side.delete(`/${file!.assetId}`), 404, 'asset_not_found');
      expectProblem(await side.get(`?folderId=${folderId}`), 404, 'folder_not_found');
      expectProblem(await side.get(`/folders/download?folderId=${folderId}`), 404, 'folder_not_found');
      expectProblem(await side.patch('/folders', { folderId, name: 'X' }), 404, 'folder_not_found');
      expect((await side.get('?q=hidden')).body.total).toBe(0);
      expect((await side.get('/tags')).body.tags).toEqual([]);
      expect((await side.tree()).has('Gone')).toBe(false);
      expect((await side.get('/folders/download')).body).not.toContain('Gone');
    }
  });

  it('is reported as such when it is opened, until it is deleted for good', async () => {
    const folderId = await library.folder('Old');
    const below = await library.folder('Older', folderId);
    const [inFolder, single] = [await seed(below), await seed()];
    const opened = () =>
      Promise.all([`?folderId=${below}`, `/${inFolder}`, `/${single}`].map((path) => library.get(path)));
    const batches = [await trashFolder(folderId), await trashAsset(single)];
    for (const { status, body } of await opened())
      expect({ status, ...body }).toMatchObject({ status: 404, inTrash: true });
    const other = await newLibrary(running.owner);
    for (const path of [`?folderId=${below}`, `/${inFolder}`, `/${single}`])
      expect((await other.admin.get(path)).body).not.toHaveProperty('inTrash');
    for (const path of [`?folderId=${UNKNOWN}`, `/${UNKNOWN}`, '/%20'])
      expect((await library.get(path)).body).not.toHaveProperty('inTrash');

    for (const batchId of batches) await library.delete('/trash', { batchId });
    for (const { status, body } of await opened()) {
      expect(status).toBe(404);
      expect(body).not.toHaveProperty('inTrash');
    }
  });

  it('is listed newest first, in pages, with who put it there', async () => {
    const folderId = await library.folder('Folder');
    await library.folder('Inside', folderId);
    const [a, b] = [await seed(folderId), await seed(null, 'Single')];
    const first = await trashFolder(folderId);
    const second = (await running.portal.delete(`/${b}`)).body.batchId;
    const { body } = await library.get('/trash');
    expect(body.items).toEqual([
      {
        batchId: second,
        assetId: b,
        name: 'Single',
        assets: 1,
        folders: 0,
        trashedAt: expect.stringMatching(/Z$/),
        trashedBy: 'Test key',
        restorableUntil: expect.stringMatching(/Z$/),
        previewAssetIds: [],
      },
      expect.objectContaining({
        batchId: first,
        folderId,
        name: 'Folder',
        assets: 1,
        folders: 2,
        trashedBy: 'owner@test.example',
      }),
    ]);
    const page = (await library.get('/trash?limit=1')).body;
    const rest = (await library.get(`/trash?limit=1&cursor=${page.nextCursor}`)).body;
    expect([...page.items, ...rest.items]).toEqual(body.items);
    expect(rest.nextCursor).toBeNull();
    expect(a).not.toBe(b);
  });
});

describe('an asset in a trashed folder', () => {
  it('is not named as the original of a duplicate', async () => {
    const folderId = await library.folder('Gone');
    const first = await library.finalize((await library.upload()).uploadToken, { folderId });
    await trashFolder(folderId);
    const second = await library.finalize((await library.upload()).uploadToken);
    expect([first.status, second.status, second.body.duplicateOf]).toEqual([201, 201, null]);
  });

  it('is also gone for a repeated finalize', async () => {
    const folderId = await library.folder('Gone');
    const { uploadToken } = await library.upload();
    await library.finalize(uploadToken, { folderId });
    await trashFolder(folderId);
    expectProblem(await library.finalize(uploadToken), 409, 'upload_session_closed');
  });
});

describe('restoring', () => {
  it('restores a folder with everything in it', async () => {
    const a = await library.folder('A');
    const b = await library.folder('B', a);
    const ids = [await seed(a), await seed(b), await seed(b)];
    const batch = await trashFolder(a);
    expect(await restore(batch)).toMatchObject({
      status: 200,
      body: { batchId: batch, folders: 2, assets: 3 },
    });
    expect(await paths()).toEqual(['A', 'A/B']);
    expect(await Promise.all(ids.map(folderOf))).toEqual([a, b, b]);
    expect((await library.get('/trash')).body.items).toEqual([]);
    expectProblem(await restore(batch), 404, 'trash_batch_not_found');
  });

  it('leaves what was trashed earlier on its own in the trash', async () => {
    const a = await library.folder('A');
    const b = await library.folder('B', a);
    const [early, late] = [await seed(b, 'early'), await seed(b, 'late')];
    const assetBatch = await trashAsset(early);
    const inner = await trashFolder(b);
    const outer = await trashFolder(a);
    await restore(outer);
    expect(await paths()).toEqual(['A']);
    await restore(inner);
    expect(await paths()).toEqual(['A', 'A/B']);
    expect(await folderOf(late)).toBe(b);
    expectProblem(await library.get(`/${early}`), 404, 'asset_not_found');
    await restore(assetBatch);
    expect(await folderOf(early)).toBe(b);
  });

  it('goes to the top level when the parent is in the trash', async () => {
    const a = await library.folder('A');
    const b = await library.folder('B', a);
    const asset = await seed(a);
    const [assetBatch, inner] = [await trashAsset(asset), await trashFolder(b)];
    const outer = await trashFolder(a);
    await restore(inner);
    await restore(assetBatch);
    expect(await paths()).toEqual(['B']);
    expect(await folderOf(asset)).toBeNull();
    await restore(outer);
    expect((await paths()).sort()).toEqual(['A', 'B']);
  });

  it('uses another name when its own is taken', async () => {
    const batches: string[] = [];
    for (let round = 0; round < 3; round++) batches.push(await trashFolder(await library.folder('Autumn')));
    await library.folder('AUTUMN');
    for (const batch of batches) expect((await restore(batch)).status).toBe(200);
    expect((await paths()).sort()).toEqual([
      'AUTUMN',
      'Autumn (restored 2)',
      'Autumn (restored 3)',
      'Autumn (restored)',
    ]);
  });

  it('keeps within 120 characters then', async () => {
    const name = 'x'.repeat(120);
    const batch = await trashFolder(await library.folder(name));
    await library.folder(name);
    await restore(batch);
    expect((await paths()).map((path) => path.length).sort()).toEqual([120, 120]);
    expect(await paths()).toContain(`${'x'.repeat(109)} (restored)`);
  });

  it('goes to the top level when its parent has moved too deep', async () => {
    let deep: string | null = null;
    for (let level = 1; level <= 30; level++) deep = await library.folder(`L${level}`, deep);
    const parent = await library.folder('Parent');
    const tall = await library.folder('Tall', parent);
    await library.folder('Two', await library.folder('One', tall));
    const batch = await trashFolder(tall);
    await library.patch('/folders', { folderId: parent, parentId: deep });
    await restore(batch);
    expect(await paths()).toEqual(expect.arrayContaining(['Tall', 'Tall/One', 'Tall/One/Two']));
  });

  it('of the same batch by several callers at the same time succeeds once', async () => {
    const batch = await trashFolder(await library.folder('A'));
    const responses = await Promise.all(Array.from({ length: 6 }, () => restore(batch)));
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 404, 404, 404, 404, 404]);
    expect(await paths()).toEqual(['A']);
  });

  it('increases the version, so that an old If-Match fails', async () => {
    const asset = await seed();
    await restore(await trashAsset(asset));
    expectProblem(
      await library.patch(`/${asset}`, { title: 'X' }, { 'if-match': '"1"' }),
      412,
      'version_mismatch',
    );
  });
});

describe('a batch whose assets are marked as well as their folder, as by earlier releases', () => {
  /** Two folders, in the order of their ids, with an asset each; only the asset in the second folder is marked. */
  async function trashMarked() {
    const outer = await library.folder('Outer');
    const inner = await library.folder('Inner', outer);
    const [first, second] = [outer, inner].sort() as [string, string];
    const [plain, marked] = (await seedFiles(running.service, running.clientId, [
      { folderId: first, bytes: Buffer.from('one') },
      { folderId: second, bytes: Buffer.from('two') },
    ])) as [SeededFile, SeededFile];
    const batch = await trashFolder(outer);
    await sql('UPDATE assets SET batch_id = $1 WHERE id = $2', [batch, marked.assetId]);
    return { batch, assetIds: [plain.assetId, marked.assetId], folderIds: [first, second] };
  }

  it('is restored whole', async () => {
    const { batch, assetIds, folderIds } = await trashMarked();
    expect((await restore(batch)).status).toBe(200);
    expect(await Promise.all(assetIds.map(folderOf))).toEqual(folderIds);
    expect((await library.get('/trash')).body.items).toEqual([]);
  });

  it('is purged whole', async () => {
    const { batch, folderIds } = await trashMarked();
    await library.delete('/trash', { batchId: batch });
    await waitUntil(() => batchIsGone(batch), 'the batch is purged');
    expect(await sql('SELECT id FROM assets WHERE client_id = $1', [running.clientId])).toEqual([]);
    expect(await sql('SELECT id FROM folders WHERE id = ANY($1)', [folderIds])).toEqual([]);
    expect(await objectKeys()).toEqual([]);
  });
});

describe('purging', () => {
  it('permanently deletes objects and records, and nothing else', async () => {
    const folderId = await library.folder('Doomed');
    const files = await seedFiles(running.service, running.clientId, [
      { folderId, bytes: Buffer.from('one') },
      { folderId, bytes: Buffer.from('two') },
      { title: 'Kept', bytes: Buffer.from('three') },
    ]);
    await sql('UPDATE assets SET duplicate_of = $1 WHERE id = $2', [files[0]!.assetId, files[2]!.assetId]);
    const batch = await trashFolder(folderId);
    expect((await library.delete('/trash', { batchId: batch })).body).toEqual({ batches: 1 });
    expectProblem(await restore(batch), 404, 'trash_batch_not_found');
    await waitUntil(() => batchIsGone(batch), 'the batch is purged');
    expect(await objectKeys()).toEqual([files[2]!.key]);
    expect(await sql('SELECT id, duplicate_of FROM assets WHERE client_id = $1', [running.clientId])).toEqual(
      [{ id: files[2]!.assetId, duplicate_of: null }],
    );
    expect(await sql('SELECT 1 FROM folders WHERE id = $1', [folderId])).toEqual([]);
  });

  it('leaves other batches restorable, at the top level', async () => {
    const a = await library.folder('A');
    const b = await library.folder('B', a);
    const [inFolder, single] = [await seed(b), await seed(a)];
    const inner = await trashFolder(b);
    const singleBatch = await trashAsset(single);
    const outer = await trashFolder(a);
    await library.delete(`/trash?batchId=${outer}`);
    await waitUntil(() => batchIsGone(outer), 'the outer batch is purged');
    expect((await library.get('/trash')).body.items).toHaveLength(2);
    await restore(inner);
    await restore(singleBatch);
    expect(await paths()).toEqual(['B']);
    expect([await folderOf(inFolder), await folderOf(single)]).toEqual([b, null]);
  });

  it('without an id empties the whole trash of this client only', async () => {
    const other = await newLibrary(running.owner);
    await other.admin.delete('/folders', { folderId: await other.admin.folder('Theirs') });
    const batches = [await trashFolder(await library.folder('A')), await trashAsset(await seed())];
    expect((await running.portal.delete('/trash')).body).toEqual({ batches: 2 });
    for (const batch of batches) await waitUntil(() => batchIsGone(batch), 'the batch is purged');
    expect((await other.admin.get('/trash')).body.items).toHaveLength(1);
  });

  it('empties a trash of many batches with one event and one job', async () => {
    await sql(
      `INSERT INTO trash_batches (id, client_id, name, folders, assets, trashed_by)
         SELECT gen_random_uuid(), $1, 'Many', 0, 0, 'somebody' FROM generate_series(1, 300)`,
      [running.clientId],
    );
    expect((await library.delete('/trash')).body).toEqual({ batches: 300 });
    expect((await library.delete('/trash')).body).toEqual({ batches: 0 });
    const events = await sql(
      `SELECT before FROM events WHERE client_id = $1 AND actor_kind <> 'system' AND action LIKE 'trash.%'`,
      [running.clientId],
    );
    expect(events).toEqual([{ before: { batches: 300 } }]);
    const left = () => sql('SELECT 1 FROM trash_batches WHERE client_id = $1', [running.clientId]);
    await waitUntil(async () => (await left()).length === 0, 'all batches are purged', 60);
  });

  it('by retention, and every purge that finishes, is in the audit log', async () => {
    const folderId = await library.folder('Expired');
    await seed(folderId);
    const batch = await trashFolder(folderId);
    await sql(`UPDATE trash_batches SET trashed_at = now() - interval '31 days' WHERE id = $1`, [batch]);
    await runJob(running.service, 'empty-trash');
    await waitUntil(() => batchIsGone(batch), 'the batch is purged');
    const { body } = await running.owner.get(`/admin/clients/${running.clientId}/audit?limit=2`);
    const system = { actor: { kind: 'system' }, subjectKind: 'trash_batch', subjectId: batch };
    expect(body.events).toMatchObject([
      { ...system, action: 'trash.purged', before: { name: 'Expired', folders: 1, assets: 1 } },
      { ...system, action: 'trash.purge', before: { name: 'Expired', folders: 1, assets: 1 } },
    ]);
  });

  it('never touches a bucket of another installation, and is retried even after its job has failed permanently', async () => {
    const [file] = await seedFiles(running.service, running.clientId, [{ bytes: Buffer.from('bytes') }]);
    const marker = { Bucket: running.service.bucket, Key: MARKER };
    const own = await (await store.send(new GetObjectCommand(marker))).Body!.transformToByteArray();
    await store.send(new PutObjectCommand({ ...marker, Body: '0198a3c4-7b1e-7cc0-8f5e-2f5d1c9a7b10' }));
    // The service caches the content of the marker for two seconds.
    await new Promise((resolve) => setTimeout(resolve, 2_100));
    const batch = await trashAsset(file!.assetId);
    await library.delete('/trash', { batchId: batch });
    const job = async () =>
      (await sql(`SELECT attempts, run_at > now() AS postponed FROM graphile_worker.jobs WHERE key = $1`, [
        `purge-trash:${running.clientId}`,
      ])) as { attempts: number; postponed: boolean }[];
    await waitUntil(async () => (await job())[0]?.postponed === true, 'the purge has been postponed');
    expect((await job())[0]!.attempts).toBe(0);
    expect(await objectKeys()).toEqual([file!.key]);
    expect(await batchIsGone(batch)).toBe(false);

    await store.send(new PutObjectCommand({ ...marker, Body: own }));
    await sql('UPDATE graphile_worker._private_jobs SET attempts = max_attempts WHERE key = $1', [
      `purge-trash:${running.clientId}`,
    ]);
    await new Promise((resolve) => setTimeout(resolve, 2_100));
    await runJob(running.service, 'empty-trash');
    await waitUntil(() => batchIsGone(batch), 'the batch is purged');
    expect(await objectKeys()).toEqual([]);
  });

  it('deletes every object of an asset, its renditions included', async () => {
    const [file] = await seedFiles(running.service, running.clientId, [{ bytes: Buffer.from('bytes') }]);
    const prefix = file!.key.slice(0, file!.key.lastIndexOf('/'));
    for (const name of ['thumb.webp', 'display.jpeg']) {
      const key = `${prefix}/renditions/${name}`;
      await store.send(new PutObjectCommand({ Bucket: running.service.bucket, Key: key, Body: 'made' }));
      await sql(`INSERT INTO renditions (client_id, asset_id, name, status) VALUES ($1, $2, $3, 'making')`, [
        running.clientId,
        file!.assetId,
        name,
      ]);
    }
    const batch = await trashAsset(file!.assetId);
    await library.delete('/trash', { batchId: batch });
    await waitUntil(() => batchIsGone(batch), 'the batch is purged');
    expect(await objectKeys()).toEqual([]);
  });

  it('rejects ids that are null, unknown or of another client, and then purges nothing', async () => {
    const other = await newLibrary(running.owner);
    const theirs = (await other.admin.delete('/folders', { folderId: await other.admin.folder('X') })).body;
    await trashFolder(await library.folder('A'));
    expectProblem(await library.delete('/trash', { batchId: null }), 400, 'validation_failed');
    expectProblem(await library.delete('/trash?batchId=all'), 400, 'validation_failed');
    for (const batchId of [theirs.batchId, '0198a3c4-7b1e-7cc0-8f5e-2f5d1c9a7b10']) {
      expectProblem(await library.delete('/trash', { batchId }), 404, 'trash_batch_not_found');
      expectProblem(await restore(batchId), 404, 'trash_batch_not_found');
    }
    expect((await library.get('/trash')).body.items).toHaveLength(1);
    expect((await other.admin.get('/trash')).body.items).toHaveLength(1);
  });
});
