import {
  type Library,
  type LibraryService,
  newLibrary,
  sharedLibrary,
  type Json,
} from '../support/api/library.js';
import { expectProblem, pathsOf } from '../support/api/problems.js';
import { seedAssets } from '../support/database/seed-assets.js';

let running: LibraryService;
let library: Library;
beforeAll(async () => (running = await sharedLibrary()));
/** Each test has its own client. */
beforeEach(async () => {
  const fresh = await newLibrary(running.owner);
  running = { ...running, ...fresh };
  library = fresh.admin;
});

describe('creating', () => {
  it('returns 201 with the folder and its path, on both sides', async () => {
    const top = await running.portal.post('/folders', { name: 'Autumn' });
    expect(top.status).toBe(201);
    expect(top.body).toEqual({
      folderId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      clientId: running.clientId,
      parentId: null,
      name: 'Autumn',
      protected: false,
      path: 'Autumn',
      createdAt: expect.stringMatching(/Z$/),
      updatedAt: expect.stringMatching(/Z$/),
    });
    const inside = await library.post('/folders', { name: 'Posters', parentId: top.body.folderId });
    expect(inside.body).toMatchObject({ path: 'Autumn/Posters', parentId: top.body.folderId });
    expect((await running.portal.tree()).get('Autumn/Posters').folderId).toBe(inside.body.folderId);
  });

  it('keeps the name trimmed and in NFC', async () => {
    const { body } = await library.post('/folders', { name: '  E\u0301te\u0301 2026 \t' });
    expect(body.name).toBe('Été 2026');
  });

  it.each([
    ['empty', ''],
    ['blank', ' \u3000 '],
    ['over 120 characters', 'x'.repeat(121)],
    ['with a slash', 'a/b'],
    ['with a backslash', 'a\\b'],
    ['with a control character', 'a\u0007b'],
    ['with a line break', 'a\nb'],
    ['with a right-to-left override', 'a\u202Eb'],
    ['with an isolate', 'a\u2066b'],
    ['a dot', '.'],
    ['two dots', '..'],
    ['invisible', '\u200B\u2060'],
    ['blank in Braille', '\u2800\u2800'],
    ['a Hangul filler', '\u3164'],
  ])('rejects a name that is %s', async (_what, name) => {
    for (const response of [
      await library.post('/folders', { name }),
      await library.patch('/folders', { folderId: (await library.protectedFolders()).social, name }),
    ]) {
      expectProblem(response, 400, 'validation_failed');
      expect(pathsOf(response)).toEqual(['name']);
    }
  });

  it('counts characters, not UTF-16 units', async () => {
    expect((await library.post('/folders', { name: '🍞'.repeat(120) })).status).toBe(201);
    expectProblem(await library.post('/folders', { name: '🍞'.repeat(121) }), 400, 'validation_failed');
  });

  it.each([
    ['case', 'AUTUMN sale'],
    ['spaces', 'Autumn  Sale'],
    ['width', 'Ａｕｔｕｍｎ Sale'],
    ['invisible characters', 'Autumn\u200B Sale'],
  ])('treats siblings that differ only in %s as the same name', async (_what, name) => {
    await library.folder('Autumn Sale');
    expectProblem(await library.post('/folders', { name }), 409, 'folder_name_taken');
    const other = await library.folder('Elsewhere');
    expectProblem(await library.patch('/folders', { folderId: other, name }), 409, 'folder_name_taken');
    expect((await library.post('/folders', { name, parentId: other })).status).toBe(201);
  });

  it('folds case as Unicode does', async () => {
    await library.folder('Hauptstraße');
    expectProblem(await library.post('/folders', { name: 'HAUPTSTRASSE' }), 409, 'folder_name_taken');
  });

  it('rejects a parent that is unknown, in the trash or of another client, in the same way', async () => {
    const trashed = await library.folder('Trashed');
    await library.delete('/folders', { folderId: trashed });
    const elsewhere = await (await newLibrary(running.owner)).admin.folder('Theirs');
    const responses = [];
    for (const parentId of ['0198a3c4-7b1e-7cc0-8f5e-2f5d1c9a7b10', trashed, elsewhere]) {
      const response = await library.post('/folders', { name: 'Inside', parentId });
      expectProblem(response, 404, 'folder_not_found');
      responses.push({ ...response.body, requestId: '' });
    }
    expect(new Set(responses.map((body) => JSON.stringify(body))).size).toBe(1);
  });

  describe('a whole path', () => {
    it('creates what is missing and returns the last folder, new or not', async () => {
      const made = await running.portal.post('/folders', { path: '2026/Autumn/Posters' });
      expect(made).toMatchObject({ status: 201, body: { name: 'Posters', path: '2026/Autumn/Posters' } });
      const again = await library.post('/folders', { path: '2026/ AUTUMN /posters' });
      expect(again).toMatchObject({ status: 200, body: made.body });
      const beside = await library.post('/folders', { path: '2026/Autumn/Flyers/A4' });
      expect(beside.status).toBe(201);
      const tree = await library.tree();
      expect([...tree.keys()].filter((path) => path.startsWith('2026'))).toEqual([
        '2026',
        '2026/Autumn',
        '2026/Autumn/Flyers',
        '2026/Autumn/Posters',
        '2026/Autumn/Flyers/A4',
      ]);
      const below = await library.post('/folders', { path: 'A4/Drafts', parentId: beside.body.parentId });
      expect(below).toMatchObject({ status: 201, body: { path: '2026/Autumn/Flyers/A4/Drafts' } });
    });

    it('creates one tree under concurrent requests', async () => {
      const other = await running.service.another();
      const responses = await Promise.all(
        Array.from({ length: 12 }, (_, index) =>
          (index % 2 ? library.api : library.api.at(other.url)).post(`${library.path}/folders`, {
            path: `Shoot/Day 1/${index % 3}`,
          }),
        ),
      );
      expect(responses.map(({ status }) => status).filter((status) => status === 201)).toHaveLength(3);
      expect(new Set(responses.map(({ body }) => body.folderId)).size).toBe(3);
      expect([...(await library.tree()).keys()].filter((path) => path.startsWith('Shoot'))).toHaveLength(5);
      await other.stop();
    });

    it.each([
      ['an empty name', 'A//B'],
      ['a slash at the end', 'A/'],
      ['a slash in front', '/A'],
      ['dots', 'A/../B'],
      ['a name that is too long', `A/${'x'.repeat(121)}`],
    ])('with %s is rejected, and nothing is created', async (_what, path) => {
      const response = await library.post('/folders', { path });
      expectProblem(response, 400, 'validation_failed');
      expect(pathsOf(response)).toEqual(['path']);
      expect((await library.tree()).size).toBe(2);
    });

    it('leads into the folders of the Social agent', async () => {
      const { posted } = await library.protectedFolders();
      expect(await library.post('/folders', { path: 'social/posted' })).toMatchObject({
        status: 200,
        body: { folderId: posted, protected: true },
      });
      expect((await library.post('/folders', { path: 'Social/Posted/2026' })).status).toBe(201);
      expect((await library.tree()).size).toBe(3);
    });

    it('can be as deep as folders can be, and no deeper', async () => {
      const names = Array.from({ length: 33 }, (_, index) => `L${index}`);
      expectProblem(await library.post('/folders', { path: names.join('/') }), 409, 'folder_too_deep');
      expect((await library.tree()).size).toBe(2);
      expect((await library.post('/folders', { path: names.slice(0, 32).join('/') })).status).toBe(201);
    });

    it('is an alternative to a name', async () => {
      for (const body of [{}, { name: 'A', path: 'B' }, { path: null }])
        expectProblem(await library.post('/folders', body), 400, 'validation_failed');
    });
  });

  it('rejects unknown fields and wrong types by name', async () => {
    const response = await library.post('/folders', { name: 5, parentId: 'top', colour: 'red' });
    expectProblem(response, 400, 'validation_failed');
    expect(new Set(pathsOf(response))).toEqual(new Set(['name', 'parentId', 'colour']));
  });

  it('allows 32 levels and no more', async () => {
    let parentId: string | null = null;
    for (let level = 1; level <= 32; level++) parentId = await library.folder(`Level ${level}`, parentId);
    expectProblem(await library.post('/folders', { name: 'Level 33', parentId }), 409, 'folder_too_deep');

    const tower = await library.folder('Tower');
    await library.folder('Storey', tower);
    const tree = await library.tree();
    const at = (level: number) => [...tree.values()].find(({ name }) => name === `Level ${level}`).folderId;
    const move = (level: number) => library.patch('/folders', { folderId: tower, parentId: at(level) });
    expectProblem(await move(31), 409, 'folder_too_deep');
    expect((await move(30)).status).toBe(200);
  });
});

describe('renaming and moving', () => {
  it('renames, moves, and does both together; everything below follows', async () => {
    const [a, b] = [await library.folder('A'), await library.folder('B')];
    await library.folder('Child', a);
    expect((await library.patch('/folders', { folderId: a, name: 'A2' })).body.path).toBe('A2');
    expect((await library.patch('/folders', { folderId: a, parentId: b })).body.path).toBe('B/A2');
    expect([...(await library.tree()).keys()]).toContain('B/A2/Child');
    const both = await running.portal.patch('/folders', { folderId: a, name: 'A3', parentId: null });
    expect(both.body).toMatchObject({ path: 'A3', parentId: null });
    expect([...(await library.tree()).keys()]).toContain('A3/Child');
  });

  it('lets a folder change the case of its own name', async () => {
    const folderId = await library.folder('autumn');
    const { status, body } = await library.patch('/folders', { folderId, name: 'Autumn' });
    expect({ status, name: body.name }).toEqual({ status: 200, name: 'Autumn' });
  });

  it('rejects moving a folder into itself or below', async () => {
    const a = await library.folder('A');
    const b = await library.folder('B', a);
    const c = await library.folder('C', b);
    for (const parentId of [a, b, c])
      expectProblem(await library.patch('/folders', { folderId: a, parentId }), 409, 'folder_cycle');
    expect([...(await library.tree()).keys()].sort()).toEqual([
      'A',
      'A/B',
      'A/B/C',
      'Social',
      'Social/Posted',
    ]);
  });

  it('rejects a move to where the name is taken', async () => {
    const a = await library.folder('A');
    await library.folder('Twin');
    const twin = await library.folder('TWIN', a);
    expectProblem(
      await library.patch('/folders', { folderId: twin, parentId: null }),
      409,
      'folder_name_taken',
    );
  });

  it('rejects an empty change, and a change of a missing folder', async () => {
    const folderId = await library.folder('A');
    expectProblem(await library.patch('/folders', { folderId }), 400, 'validation_failed');
    expectProblem(await library.patch('/folders', { folderId, name: null }), 400, 'validation_failed');
    const unknown = '0198a3c4-7b1e-7cc0-8f5e-2f5d1c9a7b10';
    expectProblem(await library.patch('/folders', { folderId: unknown, name: 'B' }), 404, 'folder_not_found');
    expectProblem(await library.patch('/folders', { folderId, parentId: unknown }), 404, 'folder_not_found');
  });

  it('accepts ids in either case', async () => {
    const a = await library.folder('A');
    const response = await library.post('/folders', { name: 'B', parentId: a.toUpperCase() });
    expect(response.body).toMatchObject({ parentId: a, path: 'A/B' });
    expectProblem(
      await library.post('/folders', { name: 'b', parentId: a.toUpperCase() }),
      409,
      'folder_name_taken',
    );
  });
});

describe('the tree', () => {
  it('lists every folder after its parent, with the counts of its direct contents and of everything below', async () => {
    const a = await library.folder('A');
    const b = await library.folder('B', a);
    const c = await library.folder('C', b);
    const trashed = await library.folder('Trashed', b);
    await seedAssets(running.service.databaseUrl, running.clientId, [
      { folderId: a },
      { folderId: b },
      { folderId: b },
      { folderId: c },
      { folderId: trashed },
      {},
    ]);
    await library.delete('/folders', { folderId: trashed });
    const { body } = await running.portal.get('/folders');
    const seen = body.folders.map(({ path, folders, assets, totalAssets }: Json) => [
      path,
      folders,
      assets,
      totalAssets,
    ]);
    expect(seen).toEqual([
      ['A', 1, 1, 4],
      ['A/B', 1, 2, 3],
      ['A/B/C', 0, 1, 1],
      ['Social', 1, 0, 0],
      ['Social/Posted', 0, 0, 0],
    ]);
    expect(body.assetsAtTop).toBe(1);
  });

  it('shows the path and the subfolders in a listing', async () => {
    const a = await library.folder('A');
    const b = await library.folder('B', a);
    await library.folder('zebra', b);
    await library.folder('Ant', b);
    const { body } = await library.get(`?folderId=${b}`);
    expect(body.folder).toMatchObject({ folderId: b, path: 'A/B' });
    expect(body.breadcrumbs.map(({ path }: Json) => path)).toEqual(['A', 'A/B']);
    expect(body.folders.map(({ path }: Json) => path)).toEqual(['A/B/Ant', 'A/B/zebra']);
    const top = (await library.get()).body;
    expect(top).toMatchObject({ folder: null, breadcrumbs: [] });
    expect(top.folders.map(({ path }: Json) => path)).toEqual(['A', 'Social']);
  });
});

describe('deleting', () => {
  it('takes the id from the body or from the query, and returns what was trashed', async () => {
    const a = await library.folder('A');
    await library.folder('Inside', a);
    await seedAssets(running.service.databaseUrl, running.clientId, [{ folderId: a }]);
    const b = await library.folder('B');
    const byBody = await library.delete('/folders', { folderId: a });
    expect(byBody.body).toEqual({
      folderId: a,
      trashedFolders: 2,
      trashedAssets: 1,
      batchId: expect.any(String),
      restorableUntil: expect.stringMatching(/Z$/),
    });
    const days = (Date.parse(byBody.body.restorableUntil) - Date.now()) / 86_400_000;
    expect(days).toBeCloseTo(30, 2);
    expect((await library.delete(`/folders?folderId=${b}`)).status).toBe(200);
    expect([...(await library.tree()).keys()]).toEqual(['Social', 'Social/Posted']);
  });

  it('rejects a missing id, two different ones, and one that no longer exists', async () => {
    const [a, b] = [await library.folder('A'), await library.folder('B')];
    expectProblem(await library.delete('/folders'), 400, 'validation_failed');
    expectProblem(await library.delete(`/folders?folderId=${a}`, { folderId: b }), 400, 'validation_failed');
    expect((await library.delete('/folders', { folderId: a })).status).toBe(200);
    expectProblem(await library.delete('/folders', { folderId: a }), 404, 'folder_not_found');
  });

  it('frees the name', async () => {
    await library.delete('/folders', { folderId: await library.folder('A') });
    await library.folder('a');
  });
});
