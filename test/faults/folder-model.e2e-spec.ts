import fc from 'fast-check';
import { CATALOGUE, type ProblemCode } from '../../src/common/errors/catalogue.js';
import type { ApiResponse } from '../support/api/api.js';
import { type LibraryService, sharedLibrary, type Json } from '../support/api/library.js';
import { seedAssets } from '../support/database/seed-assets.js';
import { query } from '../support/services/service.js';

/** `FOLDER_OPS=1000` for the long run; `FOLDER_SEED` repeats one that failed. */
const OPERATIONS = Number(process.env['FOLDER_OPS'] ?? 200);
const SEED = Number(process.env['FOLDER_SEED'] ?? 20260115);
const CALLERS = 8;
const ASSETS = 40;

/** Few names and many callers, so that they conflict. */
const NAMES = ['a', 'A', 'b', 'B ', 'ｂ', 'c', 'Social', 'SOCIAL', 'Posted', 'posted\u200B'];

const name = fc.constantFrom(...NAMES);
/** Which of the folders known at that moment; modulo their number. */
const pick = fc.nat(1_000);
const operation = fc.oneof(
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('create' as const), name, parent: pick }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('rename' as const), name, folder: pick }) },
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('move' as const), folder: pick, parent: pick }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('both' as const), name, folder: pick, parent: pick }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('trash' as const), folder: pick }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('restore' as const), batch: pick }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('moveAsset' as const), asset: pick, parent: pick }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('trashAsset' as const), asset: pick }) },
);
type Operation = typeof operation extends fc.Arbitrary<infer T> ? T : never;

/** The codes with which each kind may be rejected. */
const REFUSALS: Record<Operation['kind'], ProblemCode[]> = {
  create: ['folder_not_found', 'folder_name_taken', 'folder_too_deep'],
  rename: ['folder_not_found', 'folder_name_taken', 'folder_protected'],
  move: ['folder_not_found', 'folder_name_taken', 'folder_protected', 'folder_cycle', 'folder_too_deep'],
  both: ['folder_not_found', 'folder_name_taken', 'folder_protected', 'folder_cycle', 'folder_too_deep'],
  trash: ['folder_not_found', 'folder_protected'],
  restore: ['trash_batch_not_found'],
  moveAsset: ['asset_not_found', 'folder_not_found'],
  trashAsset: ['asset_not_found'],
};

let running: LibraryService;
describe('The folder tree under random operations', () => {
  beforeAll(async () => (running = await sharedLibrary()));

  it(`survives ${OPERATIONS} random operations by ${CALLERS} concurrent callers (seed ${SEED})`, async () => {
    const { admin, portal } = running;
    const system = await admin.protectedFolders();
    const systemBefore = await protectedRows();
    const folders: (string | null)[] = [null, system.social, system.posted];
    const batches: string[] = ['0198a3c4-7b1e-7cc0-8f5e-2f5d1c9a7b10'];
    const assets = await seedAssets(
      running.service.databaseUrl,
      running.clientId,
      Array.from({ length: ASSETS }, () => ({})),
    );
    const at = <T>(list: readonly T[], index: number): T => list[index % list.length]!;
    const folder = (index: number) => at(folders, index) ?? system.social;

    const perform = (side: typeof admin, op: Operation): Promise<ApiResponse> => {
      switch (op.kind) {
        case 'create':
          return side.post('/folders', { name: op.name, parentId: at(folders, op.parent) });
        case 'rename':
          return side.patch('/folders', { folderId: folder(op.folder), name: op.name });
        case 'move':
          return side.patch('/folders', { folderId: folder(op.folder), parentId: at(folders, op.parent) });
        case 'both':
          return side.patch('/folders', {
            folderId: folder(op.folder),
            name: op.name,
            parentId: at(folders, op.parent),
          });
        case 'trash':
          return side.delete('/folders', { folderId: folder(op.folder) });
        case 'restore':
          return side.post('/trash/restore', { batchId: at(batches, op.batch) });
        case 'moveAsset':
          return side.patch(`/${at(assets, op.asset)}`, { folderId: at(folders, op.parent) });
        case 'trashAsset':
          return side.delete(`/${at(assets, op.asset)}`);
      }
    };

    const [operations] = fc.sample(
      fc.array(operation, { minLength: OPERATIONS, maxLength: OPERATIONS, size: 'max' }),
      {
        seed: SEED,
        numRuns: 1,
      },
    );
    const queue = [...operations!];
    const unexpected: unknown[] = [];
    const done = new Map<string, number>();
    await Promise.all(
      Array.from({ length: CALLERS }, async (_, caller) => {
        for (let op = queue.shift(); op; op = queue.shift()) {
          const { status, body } = await perform(caller % 2 ? admin : portal, op);
          if (status === 200 || status === 201) {
            done.set(op.kind, (done.get(op.kind) ?? 0) + 1);
            if (op.kind === 'create' && status === 201) folders.push(body.folderId);
            if ((op.kind === 'trash' || op.kind === 'trashAsset') && body.batchId) batches.push(body.batchId);
          } else if (
            !REFUSALS[op.kind].includes(body.code) ||
            CATALOGUE[body.code as ProblemCode][0] !== status
          ) {
            unexpected.push({ op, status, body });
          }
        }
      }),
    );
    expect(unexpected).toEqual([]);
    // Otherwise the run would prove nothing.
    for (const kind of ['create', 'rename', 'move', 'trash', 'restore', 'moveAsset'])
      expect([kind, (done.get(kind) ?? 0) > 0]).toEqual([kind, true]);
    expect([...done.values()].reduce((sum, count) => sum + count)).toBeGreaterThan(OPERATIONS / 4);

    await expectSoundTree();
    expect(await protectedRows()).toEqual(systemBefore);

    // Everything in the trash is restored.
    for (const { batchId } of (await admin.get('/trash?limit=200')).body.items)
      expect((await admin.post('/trash/restore', { batchId })).status).toBe(200);
    await expectSoundTree();
    expect(await protectedRows()).toEqual(systemBefore);
    const { body } = await admin.get('/folders');
    const counted = body.folders.reduce((sum: number, each: Json) => sum + each.assets, body.assetsAtTop);
    expect(counted).toBe(ASSETS);
  }, 300_000);

  const sql = <T>(text: string) => query<T>(running.service.databaseUrl, text, [running.clientId]);

  const protectedRows = () =>
    sql(
      'SELECT id, name, parent_id, updated_at FROM folders WHERE client_id = $1 AND system_key IS NOT NULL ORDER BY id',
    );

  interface Row {
    id: string;
    parent_id: string | null;
    name_key: string;
  }

  /** No cycles, orphans, duplicates or stranded assets, and the tree matches the tables. */
  async function expectSoundTree(): Promise<void> {
    const live = await sql<Row>(
      'SELECT id, parent_id, name_key FROM folders WHERE client_id = $1 AND batch_id IS NULL',
    );
    const byId = new Map(live.map((row) => [row.id, row]));
    for (const row of live) {
      let steps = 0;
      for (let up: Row | undefined = row; up.parent_id !== null; up = byId.get(up.parent_id)!) {
        expect(byId.has(up.parent_id)).toBe(true);
        expect(++steps).toBeLessThan(32);
      }
    }
    const places = live.map(({ parent_id, name_key }) => `${parent_id}/${name_key}`);
    expect(new Set(places).size).toBe(places.length);
    // A batch holds what was in the folder when it was trashed: no asset came in or left afterwards.
    const stranded = await sql(
      `SELECT b.id FROM trash_batches b WHERE b.client_id = $1 AND b.folder_id IS NOT NULL AND b.assets <> (
       SELECT count(*) FROM assets a JOIN folders f ON f.id = a.folder_id WHERE f.batch_id = b.id AND a.batch_id IS NULL)`,
    );
    expect(stranded).toEqual([]);

    const counts = await sql<{ folder_id: string | null; count: number }>(
      'SELECT folder_id, count(*)::int FROM assets WHERE client_id = $1 AND batch_id IS NULL GROUP BY 1',
    );
    const { body } = await running.admin.get('/folders');
    const shown = body.folders.map((each: Json) => [each.folderId, each.assets, each.folders]).sort();
    const expected = live
      .map(({ id }) => [
        id,
        counts.find((row) => row.folder_id === id)?.count ?? 0,
        live.filter((row) => row.parent_id === id).length,
      ])
      .sort();
    expect(shown).toEqual(expected);
    expect(body.assetsAtTop).toBe(counts.find((row) => row.folder_id === null)?.count ?? 0);
  }
});
