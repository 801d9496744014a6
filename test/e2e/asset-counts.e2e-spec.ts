import { randomUUID } from 'node:crypto';
import {
  type Json,
  type Library,
  type LibraryService,
  newLibrary,
  sharedLibrary,
} from '../support/api/library.js';
import { seedAssets } from '../support/database/seed-assets.js';
import { query } from '../support/services/service.js';

/** `COUNT_OPS=2000` for a long run. */
const OPERATIONS = Number(process.env['COUNT_OPS'] ?? 150);
const CALLERS = 8;
const TAGS = ['red', 'green', 'blue'];

let running: LibraryService;
beforeAll(async () => (running = await sharedLibrary()));

const sql = <T = Json>(text: string, values: unknown[] = []) =>
  query<T>(running.service.databaseUrl, text, values);

const pick = <T>(list: readonly T[]): T => list[Math.floor(Math.random() * list.length)]!;

/** Moves a folder to the trash the way the service does: the folder is marked, its assets are not. */
async function markTrashed(clientId: string, folderId: string): Promise<void> {
  const batchId = randomUUID();
  await sql(
    `INSERT INTO trash_batches (id, client_id, folder_id, name, folders, assets, trashed_by) VALUES ($1, $2, $3, 'x', 1, 0, 'x')`,
    [batchId, clientId, folderId],
  );
  await sql('UPDATE folders SET batch_id = $1 WHERE id = $2', [batchId, folderId]);
}

async function expectTrueCounts(clientId: string): Promise<void> {
  const kept = await sql('SELECT * FROM asset_counts WHERE client_id = $1 ORDER BY folder_id, tag', [
    clientId,
  ]);
  const truth = await sql(
    `SELECT client_id, folder_id, tag, count(*)::int AS assets
       FROM assets, LATERAL (SELECT '' AS tag UNION SELECT unnest(tags)) AS tags
      WHERE client_id = $1 AND batch_id IS NULL GROUP BY client_id, folder_id, tag ORDER BY folder_id, tag`,
    [clientId],
  );
  expect(kept).toEqual(truth);
}

async function expectCorrectCounts(library: Library, clientId: string): Promise<void> {
  const live = `assets a LEFT JOIN folders f ON f.id = a.folder_id WHERE a.client_id = $1 AND a.batch_id IS NULL AND f.batch_id IS NULL`;
  const tags = await sql(
    `SELECT tag, count(*)::int AS assets FROM (SELECT unnest(a.tags) AS tag FROM ${live}) AS t GROUP BY tag ORDER BY 2 DESC, 1`,
    [clientId],
  );
  expect((await library.get('/tags')).body.tags).toEqual(tags);
  const perFolder = await sql(`SELECT a.folder_id, count(*)::int AS assets FROM ${live} GROUP BY 1`, [
    clientId,
  ]);
  const counts = new Map(perFolder.map(({ folder_id, assets }) => [folder_id, assets]));
  const tree = (await library.get('/folders')).body;
  for (const folder of tree.folders) expect(folder.assets).toBe(counts.get(folder.folderId) ?? 0);
  for (const [folderId, assets] of counts) {
    const { body } = await library.get(`?limit=1${folderId ? `&folderId=${folderId}` : ''}`);
    expect(body).toMatchObject({ total: assets, totalIsExact: true });
  }
}

describe('Asset counts', () => {
  it(`stay correct over ${OPERATIONS} random changes by ${CALLERS} concurrent callers`, async () => {
    const { admin, service, clientId } = running;
    const folders: (string | null)[] = [null, null];
    for (const name of ['a', 'b', 'c', 'd']) folders.push(await admin.folder(name));
    const batches: string[] = [];
    const assets = await seedAssets(
      service.databaseUrl,
      clientId,
      Array.from({ length: 60 }, () => ({
        folderId: pick(folders),
        tags: TAGS.filter(() => Math.random() < 0.5),
      })),
    );
    const some = () => [...new Set(Array.from({ length: 8 }, () => pick(assets)))];
    const changes: (() => Promise<unknown>)[] = [
      () => admin.patch(`/${pick(assets)}`, { tags: TAGS.filter(() => Math.random() < 0.5) }),
      () => admin.patch(`/${pick(assets)}`, { folderId: pick(folders) }),
      () => admin.patch(`/${pick(assets)}`, { title: 'Changed' }),
      () => admin.post('/bulk', { assetIds: some(), action: 'addTags', tags: [pick(TAGS), pick(TAGS)] }),
      () => admin.post('/bulk', { assetIds: some(), action: 'removeTags', tags: [pick(TAGS)] }),
      () => admin.post('/bulk', { assetIds: some(), action: 'move', folderId: pick(folders) }),
      () => admin.delete(`/${pick(assets)}`),
      async () => {
        const { body } = await admin.get('/trash');
        batches.push(...body.items.map(({ batchId }: Json) => batchId));
        return admin.post('/trash/restore', { batchId: pick(batches) });
      },
      () => admin.delete('/folders', { folderId: pick(folders.slice(2)) }),
      async () => {
        assets.push(
          ...(await seedAssets(service.databaseUrl, clientId, [
            { folderId: null, tags: [pick(TAGS)] },
            { tags: [] },
          ])),
        );
      },
      () => sql('DELETE FROM assets WHERE id = $1', [pick(assets)]),
    ];
    let left = OPERATIONS;
    const statuses = new Set<unknown>();
    const work = async () => {
      while (left-- > 0) statuses.add(((await pick(changes)()) as { status?: number } | undefined)?.status);
    };
    await Promise.all(Array.from({ length: CALLERS }, work));
    expect([...statuses].filter((status) => Number(status) >= 500)).toEqual([]);
    await expectTrueCounts(clientId);
    await expectCorrectCounts(admin, clientId);
  });

  it('follow assets whose folder is permanently deleted', async () => {
    const { admin, clientId } = await newLibrary(running.owner);
    const folder = await admin.folder('Going');
    await seedAssets(running.service.databaseUrl, clientId, [{ folderId: folder, tags: ['kept'] }]);
    await sql('DELETE FROM folders WHERE id = $1', [folder]);
    await expectTrueCounts(clientId);
    expect((await admin.get()).body).toMatchObject({ total: 1, totalIsExact: true });
  });
});

describe('assets in a trashed folder', () => {
  it('are excluded from tags, tree, searches and listings, and return with the folder', async () => {
    const { admin, clientId } = await newLibrary(running.owner);
    const folder = await admin.folder('Shelf');
    const below = await admin.folder('Below', folder);
    await seedAssets(running.service.databaseUrl, clientId, [
      { title: 'Needle', tags: ['pin'] },
      { title: 'Needle', tags: ['pin'], folderId: folder },
      { title: 'Needle', tags: ['pin', 'deep'], folderId: below },
    ]);
    const seen = async () => ({
      search: (await admin.get('?q=needle')).body.total,
      below: (await admin.get('?below=true')).body.total,
      tagged: (await admin.get('?below=true&tags=pin')).body.total,
      tags: (await admin.get('/tags')).body.tags,
    });
    const all = {
      search: 3,
      below: 3,
      tagged: 3,
      tags: [
        { tag: 'pin', assets: 3 },
        { tag: 'deep', assets: 1 },
      ],
    };
    expect(await seen()).toEqual(all);
    await markTrashed(clientId, folder);
    await markTrashed(clientId, below);
    expect(await seen()).toEqual({ search: 1, below: 1, tagged: 1, tags: [{ tag: 'pin', assets: 1 }] });
    await expectCorrectCounts(admin, clientId);
    await sql('UPDATE folders SET batch_id = NULL WHERE id = ANY($1)', [[folder, below]]);
    expect(await seen()).toEqual(all);
  });
});
