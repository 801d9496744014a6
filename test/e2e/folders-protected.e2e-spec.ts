import { type Library, type LibraryService, newLibrary, sharedLibrary } from '../support/api/library.js';
import { expectProblem } from '../support/api/problems.js';
import { seedAssets } from '../support/database/seed-assets.js';
import { query } from '../support/services/service.js';

/** Ways to write `Social` that look, or are compared, the same. */
const SOCIAL_SPELLINGS = [
  'Social',
  'SOCIAL',
  ' social ',
  'Ｓｏｃｉａｌ',
  'So\u200Bcial',
  'Soc\u00ADial',
  'Ⓢocial',
  'ſocial',
];
const POSTED_SPELLINGS = ['Posted', 'pOSTED', 'Ｐosted', 'Post\uFEFFed', '\u2060Posted'];

let running: LibraryService;
describe('Protected folders', () => {
  beforeAll(async () => (running = await sharedLibrary()));

  let admin: Library;
  let portal: Library;
  let social: string;
  let posted: string;
  let before: unknown;
  beforeEach(async () => {
    ({ admin, portal } = await renew());
    ({ social, posted } = await admin.protectedFolders());
    before = await protectedNow();
  });
  /** Whatever a test tries, the two folders do not change. */
  afterEach(async () => expect(await protectedNow()).toEqual(before));

  async function renew() {
    const fresh = await newLibrary(running.owner);
    running = { ...running, ...fresh };
    return fresh;
  }

  async function protectedNow() {
    const tree = await admin.tree();
    return ['Social', 'Social/Posted'].map((path) => {
      const { folderId, name, parentId, protected: isProtected, updatedAt } = tree.get(path);
      return { folderId, name, parentId, isProtected, updatedAt };
    });
  }

  const sides = () => [admin, portal];

  it('exist for a new client, marked as protected', () => {
    expect(before).toMatchObject([
      { name: 'Social', parentId: null, isProtected: true },
      { name: 'Posted', parentId: social, isProtected: true },
    ]);
  });

  it('cannot be renamed, moved or deleted on either side', async () => {
    const elsewhere = await admin.folder('Elsewhere');
    for (const library of sides()) {
      for (const folderId of [social, posted]) {
        for (const change of [
          { name: 'Renamed' },
          { name: 'social' },
          { parentId: elsewhere },
          { parentId: null },
          { name: 'Renamed', parentId: elsewhere },
        ]) {
          expectProblem(await library.patch('/folders', { folderId, ...change }), 403, 'folder_protected');
        }
        expectProblem(await library.delete('/folders', { folderId }), 403, 'folder_protected');
        expectProblem(await library.delete(`/folders?folderId=${folderId}`), 403, 'folder_protected');
        expectProblem(
          await library.delete('/folders', { folderId: folderId.toUpperCase() }),
          403,
          'folder_protected',
        );
      }
    }
  });

  it('are returned when they are created again, in any spelling', async () => {
    for (const library of sides()) {
      for (const name of SOCIAL_SPELLINGS) {
        const { status, body } = await library.post('/folders', { name });
        expect({ name, status, folderId: body.folderId, kept: body.name }).toEqual({
          name,
          status: 200,
          folderId: social,
          kept: 'Social',
        });
      }
      for (const name of POSTED_SPELLINGS) {
        const { status, body } = await library.post('/folders', { name, parentId: social });
        expect({ name, status, folderId: body.folderId, path: body.path }).toEqual({
          name,
          status: 200,
          folderId: posted,
          path: 'Social/Posted',
        });
      }
    }
  });

  it('keep their names: nothing is renamed into their place', async () => {
    const top = await admin.folder('Something');
    const inside = await admin.folder('Something', social);
    for (const name of SOCIAL_SPELLINGS)
      expectProblem(await portal.patch('/folders', { folderId: top, name }), 409, 'folder_name_taken');
    for (const name of POSTED_SPELLINGS)
      expectProblem(await admin.patch('/folders', { folderId: inside, name }), 409, 'folder_name_taken');
  });

  it('keep their places: nothing is moved into them', async () => {
    const parent = await admin.folder('Parent');
    for (const name of SOCIAL_SPELLINGS) {
      const { body, status } = await admin.post('/folders', { name, parentId: parent });
      expect(status).toBe(201);
      expectProblem(
        await portal.patch('/folders', { folderId: body.folderId, parentId: null }),
        409,
        'folder_name_taken',
      );
      await admin.delete('/folders', { folderId: body.folderId });
    }
    const impostor = await admin.folder('Posted');
    expectProblem(
      await admin.patch('/folders', { folderId: impostor, parentId: social }),
      409,
      'folder_name_taken',
    );
    const disguised = await admin.folder('Harmless', parent);
    expectProblem(
      await admin.patch('/folders', { folderId: disguised, parentId: null, name: 'SOCIAL' }),
      409,
      'folder_name_taken',
    );
  });

  it('are not displaced by a restore', async () => {
    const parent = await admin.folder('Parent');
    const impostor = await admin.folder('Social', parent);
    const { body: child } = await admin.delete('/folders', { folderId: impostor });
    await admin.delete('/folders', { folderId: parent });
    expect((await portal.post('/trash/restore', { batchId: child.batchId })).status).toBe(200);
    const tree = await admin.tree();
    expect(tree.get('Social (restored)').folderId).toBe(impostor);
    expect(tree.get('Social').folderId).toBe(social);
  });

  it('accept assets and further folders', async () => {
    const drafts = await portal.folder('Drafts', posted);
    const [assetId] = await seedAssets(running.service.databaseUrl, running.clientId, [{ title: 'Post' }]);
    for (const [library, folderId] of [
      [admin, social],
      [portal, posted],
      [admin, drafts],
    ] as const) {
      expect((await library.patch(`/${assetId}`, { folderId })).body.folderId).toBe(folderId);
      expect((await library.get(`?folderId=${folderId}`)).body.assets).toMatchObject([{ assetId }]);
    }
    const bulk = await admin.post('/bulk', { assetIds: [assetId], action: 'move', folderId: posted });
    expect(bulk.status).toBe(200);
    expect((await admin.tree()).get('Social/Posted')).toMatchObject({ assets: 1, folders: 1 });
  });

  it('stay when everything in them is trashed in bulk', async () => {
    const assetIds = await seedAssets(running.service.databaseUrl, running.clientId, [
      { folderId: social },
      { folderId: posted },
    ]);
    expect((await admin.post('/bulk', { assetIds, action: 'trash' })).status).toBe(200);
    const folderIds = await admin.post('/bulk', { assetIds: [social, posted], action: 'trash' });
    expectProblem(folderIds, 409, 'bulk_failed');
    expect((await admin.delete('/trash')).status).toBe(200);
  });

  it('are enforced by the database itself: no trashed, duplicated or shadowed Social', async () => {
    const change = (sql: string) => query(running.service.databaseUrl, sql, [running.clientId]);
    await expect(
      change(`INSERT INTO folders (id, client_id, name, name_key, system_key)
            VALUES (gen_random_uuid(), $1, 'x', 'x', 'social')`),
    ).rejects.toThrow('folders_system_key');
    await expect(
      change(`INSERT INTO folders (id, client_id, name, name_key)
            VALUES (gen_random_uuid(), $1, 'social', 'social')`),
    ).rejects.toThrow('folders_name_key');
    await expect(
      change(`WITH batch AS (INSERT INTO trash_batches (id, client_id, name, folders, assets, trashed_by)
              VALUES (gen_random_uuid(), $1, 'x', 1, 0, 'x') RETURNING id)
            UPDATE folders SET batch_id = batch.id FROM batch WHERE client_id = $1 AND system_key IS NOT NULL`),
    ).rejects.toThrow('folders_system_are_live');
  });
});
