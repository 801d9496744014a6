import {
  type Library,
  libraryOn,
  type LibraryService,
  newLibrary,
  sharedLibrary,
} from '../support/api/library.js';
import { expectProblem, pathsOf } from '../support/api/problems.js';
import { type SeedAsset, seedAssets } from '../support/database/seed-assets.js';
import { launch, newSettings, query, type Service } from '../support/services/service.js';
import { StatementProxy } from '../support/faults/statement-proxy.js';

let running: LibraryService;
let library: Library;
beforeAll(async () => (running = await sharedLibrary()));
beforeEach(async () => {
  running = { ...running, ...(await newLibrary(running.owner)) };
  library = running.admin;
});

const seed = (assets: SeedAsset[]) => seedAssets(running.service.databaseUrl, running.clientId, assets);
const all = (count: number, asset: SeedAsset = {}) => seed(Array.from({ length: count }, () => asset));
const snapshot = () =>
  query(
    running.service.databaseUrl,
    'SELECT id, version, folder_id, tags, allowed_surfaces, batch_id FROM assets WHERE client_id = $1 ORDER BY id',
    [running.clientId],
  );
const UNKNOWN = '0198a3c4-7b1e-7cc0-8f5e-2f5d1c9a7b10';

describe('Bulk actions', () => {
  it('moves, on both sides', async () => {
    const folderId = await library.folder('Target');
    const ids = await all(3);
    const { status, body } = await running.portal.post('/bulk', { assetIds: ids, action: 'move', folderId });
    expect({ status, body }).toEqual({
      status: 200,
      body: { results: ids.map((assetId) => ({ assetId, ok: true })) },
    });
    expect((await library.get(`?folderId=${folderId}`)).body.total).toBe(3);
    await library.post('/bulk', { assetIds: ids, action: 'move', folderId: null });
    expect((await library.get()).body.total).toBe(3);
  });

  it('adds tags to the existing ones, and removes them', async () => {
    const ids = await seed([{ tags: ['a'] }, { tags: ['b', 'c'] }, {}]);
    const tagsNow = async () => (await snapshot()).map(({ tags }) => tags);
    await library.post('/bulk', { assetIds: ids, action: 'addTags', tags: [' b ', 'd'] });
    expect(await tagsNow()).toEqual([
      ['a', 'b', 'd'],
      ['b', 'c', 'd'],
      ['b', 'd'],
    ]);
    await library.post('/bulk', { assetIds: ids, action: 'removeTags', tags: ['b', 'never'] });
    expect(await tagsNow()).toEqual([['a', 'd'], ['c', 'd'], ['d']]);
    expect((await library.get('?q=d')).body.total).toBe(3);
    expect((await library.get('/tags')).body.tags[0]).toEqual({ tag: 'd', assets: 3 });
  });

  it('sets surfaces; none means every surface', async () => {
    const ids = await all(2, { allowedSurfaces: ['website'] });
    await library.post('/bulk', { assetIds: ids, action: 'setSurfaces', allowedSurfaces: ['gbp', 'social'] });
    expect((await snapshot())[0]).toMatchObject({ allowed_surfaces: ['social', 'gbp'], version: 2 });
    await library.post('/bulk', { assetIds: ids, action: 'setSurfaces', allowedSurfaces: [] });
    expect((await snapshot())[0]).toMatchObject({ allowed_surfaces: [], version: 3 });
  });

  it('trashes as one batch that is restored as one', async () => {
    const folderId = await library.folder('Home');
    const ids = await all(3, { folderId, title: 'Picture' });
    const response = await library.post('/bulk', { assetIds: ids, action: 'trash' });
    expect(response.status).toBe(200);
    expect((await library.get(`?folderId=${folderId}`)).body.total).toBe(0);
    const { items } = (await library.get('/trash')).body;
    expect(items).toMatchObject([{ name: 'Picture and 2 more', assets: 3, folders: 0 }]);
    expect(Object.keys(items[0])).not.toEqual(expect.arrayContaining(['assetId']));
    expect(response.body.batchId).toBe(items[0].batchId);
    await library.post('/trash/restore', { batchId: response.body.batchId });
    expect((await library.get(`?folderId=${folderId}`)).body.total).toBe(3);
  });

  describe('that trash copies only', () => {
    /** Two files, of which there are as many copies as given. */
    const copies = async (...counts: number[]) => {
      const ids = await all(counts.reduce((sum, count) => sum + count));
      let start = 0;
      return Promise.all(
        counts.map(async (count, index) => {
          const same = ids.slice(start, (start += count));
          await query(running.service.databaseUrl, 'UPDATE assets SET sha256 = $1 WHERE id = ANY($2)', [
            `file ${index}`,
            same,
          ]);
          return same;
        }),
      );
    };
    const trashCopies = (assetIds: (string | undefined)[], extra: object = {}) =>
      library.post('/bulk', { assetIds, action: 'trash', copiesOnly: true, ...extra });
    const liveNow = async () =>
      (await library.get('?limit=200')).body.assets.map(({ assetId }: { assetId: string }) => assetId).sort();

    it('trash those of which another copy remains', async () => {
      const [one, other] = await copies(3, 2);
      const { status, body } = await trashCopies([...one!.slice(1), other![0]]);
      expect({ status, batch: typeof body.batchId }).toEqual({ status: 200, batch: 'string' });
      expect(await liveNow()).toEqual([one![0], other![1]].sort());
    });

    it('reject the last copy and change nothing', async () => {
      const [same, single] = await copies(3, 1);
      const response = await trashCopies([same![1], single![0], same![0], same![2]]);
      expectProblem(response, 409, 'bulk_failed');
      expect(response.body.results).toEqual([
        { assetId: same![1], ok: true },
        { assetId: single![0], ok: false, code: 'last_copy' },
        { assetId: same![0], ok: false, code: 'last_copy' },
        { assetId: same![2], ok: true },
      ]);
      expect(await liveNow()).toHaveLength(4);
    });

    it('do not count copies in the trash, in a trashed folder or of another client', async () => {
      const [same] = await copies(3);
      const theirs = await newLibrary(running.owner);
      const [foreign] = await seedAssets(running.service.databaseUrl, theirs.clientId, [{}]);
      const folderId = await library.folder('Old');
      await query(running.service.databaseUrl, 'UPDATE assets SET sha256 = $1 WHERE id = $2', [
        'file 0',
        foreign,
      ]);
      await library.post('/bulk', { assetIds: [same![1]], action: 'move', folderId });
      await library.delete('/folders', { folderId });
      await library.delete(`/${same![2]}`);
      const response = await trashCopies([same![0]]);
      expectProblem(response, 409, 'bulk_failed');
      expect(response.body.results).toEqual([{ assetId: same![0], ok: false, code: 'last_copy' }]);
    });

    it('leave one copy when several people trash at once', async () => {
      for (let round = 0; round < 5; round++) {
        const [same] = await copies(4);
        const responses = await Promise.all([
          ...same!.map((assetId) => trashCopies([assetId])),
          trashCopies([same![3], same![0]]),
          trashCopies([same![1], same![2]]),
        ]);
        for (const { status } of responses) expect([200, 409]).toContain(status);
        const left = await query(
          running.service.databaseUrl,
          `SELECT id FROM assets WHERE client_id = $1 AND sha256 = 'file 0' AND batch_id IS NULL`,
          [running.clientId],
        );
        expect(left.length).toBeGreaterThan(0);
        await library.post('/bulk', { assetIds: left.map(({ id }) => id), action: 'trash' });
      }
    });
  });

  it('accepts references, ids in any case, and the same asset twice', async () => {
    const [assetId] = await all(1);
    const { assetRef } = (await library.get(`/${assetId}`)).body;
    const assetIds = [assetRef, assetId!.toUpperCase(), assetId];
    const { body } = await library.post('/bulk', { assetIds, action: 'addTags', tags: ['x'] });
    expect(body.results).toEqual(Array(3).fill({ assetId, ok: true }));
    expect((await snapshot())[0]).toMatchObject({ tags: ['x'], version: 2 });
  });
});

describe('all or nothing', () => {
  it.each(['move', 'trash', 'addTags', 'removeTags', 'setSurfaces', 'edit'])(
    'holds for %s',
    async (action) => {
      const theirs = await newLibrary(running.owner);
      const [foreign] = await seedAssets(running.service.databaseUrl, theirs.clientId, [{}]);
      const [trashed, ...live] = await all(3, { tags: ['x'], allowedSurfaces: ['gbp'] });
      await library.delete(`/${trashed}`);
      const before = await snapshot();
      const failing = [trashed, foreign, UNKNOWN, 'rubbish'];
      const response = await library.post('/bulk', {
        assetIds: [live[0], ...failing, live[1]],
        action,
        ...(action === 'edit' ? { titlePattern: 'New' } : { folderId: null, tags: ['x'] }),
        allowedSurfaces: [],
      });
      expectProblem(response, 409, 'bulk_failed');
      expect(response.body.results).toEqual([
        { assetId: live[0], ok: true },
        ...failing.map((assetId) => ({ assetId, ok: false, code: 'asset_not_found' })),
        { assetId: live[1], ok: true },
      ]);
      expect(await snapshot()).toEqual(before);
      expect((await library.get('/trash')).body.items).toHaveLength(1);
    },
  );

  it('holds when one of them would have too many tags', async () => {
    const [full] = await seed([{ tags: Array.from({ length: 50 }, (_, index) => `t${index}`) }]);
    const [free] = await all(1);
    const before = await snapshot();
    const response = await library.post('/bulk', {
      assetIds: [free, full],
      action: 'addTags',
      tags: ['one more'],
    });
    expectProblem(response, 409, 'bulk_failed');
    expect(response.body.results).toEqual([
      { assetId: free, ok: true },
      {
        assetId: full,
        ok: false,
        code: 'validation_failed',
        detail: 'The asset would have more than 50 tags.',
      },
    ]);
    expect(await snapshot()).toEqual(before);
  });

  it('holds for the folder', async () => {
    const ids = await all(2);
    const before = await snapshot();
    const response = await library.post('/bulk', { assetIds: ids, action: 'move', folderId: UNKNOWN });
    expectProblem(response, 404, 'folder_not_found');
    expect(await snapshot()).toEqual(before);
  });
});

describe('Edits of many assets', () => {
  const edit = (assetIds: readonly string[], fields: object) =>
    library.post('/bulk', { assetIds, action: 'edit', ...fields });
  const records = async (ids: readonly string[]) =>
    Promise.all(ids.map(async (id) => (await library.get(`/${id}`)).body));
  const events = async (assetId: string) =>
    (await running.owner.get(`/admin/clients/${running.clientId}/audit?assetId=${assetId}`)).body.events;

  it('change texts, tags and surfaces in one step, numbered in the given order, on both sides', async () => {
    const ids = await seed([
      { title: 'Last', tags: ['draft', 'x'], takenAt: '2026-03-01T23:30:00Z' },
      { title: 'First', allowedSurfaces: ['gbp'] },
    ]);
    const [last, first] = ids as [string, string];
    const { status, body } = await running.portal.post('/bulk', {
      assetIds: [first, last],
      action: 'edit',
      titlePattern: ' Menu {n:2}: {title} ',
      startAt: 9,
      altText: 'A plate',
      addTags: ['menu'],
      removeTags: ['draft'],
      allowedSurfaces: ['social', 'website'],
    });
    expect({ status, results: body.results }).toEqual({
      status: 200,
      results: [
        {
          assetId: first,
          ok: true,
          version: 2,
          before: { title: 'First', altText: '', tags: [], allowedSurfaces: ['gbp'] },
        },
        {
          assetId: last,
          ok: true,
          version: 2,
          before: { title: 'Last', altText: '', tags: ['draft', 'x'], allowedSurfaces: [] },
        },
      ],
    });
    const [now] = await records([last]);
    expect(now).toMatchObject({
      title: 'Menu 10: Last',
      altText: 'A plate',
      tags: ['x', 'menu'],
      allowedSurfaces: ['website', 'social'],
      version: 2,
    });
    expect((await library.get('?q=plate menu')).body.total).toBe(2);
    const [event] = await events(last);
    expect(event).toMatchObject({
      action: 'asset.update',
      before: { title: 'Last', tags: ['draft', 'x'] },
      after: { title: 'Menu 10: Last', tags: ['x', 'menu'], allowedSurfaces: ['website', 'social'] },
    });
  });

  it('fill only empty texts if asked to, and leave alone what is as wanted', async () => {
    const [described, bare] = (await seed([{ altText: 'Mine', description: 'Kept' }, {}])) as [
      string,
      string,
    ];
    const texts = { altText: 'A plate', description: 'Kept', onlyEmpty: true };
    const { body } = await edit([described, bare], texts);
    expect(body.results).toEqual([
      { assetId: described, ok: true, version: 1, before: {} },
      { assetId: bare, ok: true, version: 2, before: { altText: '', description: '' } },
    ]);
    expect(await records([described, bare])).toMatchObject([
      { altText: 'Mine', version: 1 },
      { altText: 'A plate', description: 'Kept', version: 2 },
    ]);
    expect(await events(described)).toEqual([]);
    const overwritten = await edit([described], { altText: '' });
    expect(overwritten.body.results[0].before).toEqual({ altText: 'Mine' });
  });

  it('can be tried first, which changes nothing', async () => {
    const ids = await seed([{ title: 'x'.repeat(200) }, { title: 'Short' }]);
    const before = await snapshot();
    const { body } = await edit([ids[1]!, UNKNOWN, ids[0]!], { titlePattern: '{title} {n}', dryRun: true });
    expect(body.results).toEqual([
      { assetId: ids[1], ok: true, title: 'Short 1' },
      { assetId: UNKNOWN, ok: false, code: 'asset_not_found' },
      {
        assetId: ids[0],
        ok: false,
        code: 'validation_failed',
        detail: 'The title would be longer than 200 characters.',
        title: `${'x'.repeat(200)} 3`,
      },
    ]);
    const refused = await edit(ids, { titlePattern: '{title} {n}' });
    expectProblem(refused, 409, 'bulk_failed');
    expect(await snapshot()).toEqual(before);
  });

  it('can be undone, except where somebody else has made a change since', async () => {
    const ids = await seed([
      { title: 'One', tags: ['a'] },
      { title: 'Two', altText: 'Mine' },
    ]);
    const { body } = await edit(ids, { titlePattern: 'Same', addTags: ['b'], altText: 'New' });
    const undo = body.results.map(({ assetId, version, before }: Record<string, object>) => ({
      assetId,
      version,
      ...before,
    }));
    await library.patch(`/${ids[0]}`, { title: 'Theirs' });
    const refused = await library.patch('', { assets: undo });
    expectProblem(refused, 409, 'bulk_failed');
    expect(refused.body.results).toMatchObject([
      { assetId: ids[0], ok: false, code: 'version_mismatch' },
      { assetId: ids[1], ok: true },
    ]);
    expect((await library.patch('', { assets: [undo[1]] })).body.results).toMatchObject([{ version: 3 }]);
    expect(await records(ids)).toMatchObject([
      { title: 'Theirs', tags: ['a', 'b'], altText: 'New' },
      { title: 'Two', tags: [], altText: 'Mine' },
    ]);
    const foreign = await newLibrary(running.owner);
    expect((await foreign.admin.patch('', { assets: [{ assetId: ids[0], title: 'x' }] })).status).toBe(409);
  });

  it('of the same assets at once are each made completely', async () => {
    const ids = await all(30);
    const texts = ['A', 'B', 'C', 'D'];
    const responses = await Promise.all(
      texts.map((text, index) =>
        edit(index % 2 ? ids : [...ids].reverse(), {
          titlePattern: `${text} {n}`,
          altText: text,
          addTags: [text],
        }),
      ),
    );
    expect(responses.map(({ status }) => status)).toEqual(Array(4).fill(200));
    for (const { title, altText, tags, version } of await records(ids)) {
      expect({ first: title[0], tags: [...tags].sort(), version }).toEqual({
        first: altText,
        tags: texts,
        version: 5,
      });
    }
  });

  it.each([
    ['nothing to do', {}, 'action'],
    ['only empty lists of tags', { addTags: [], removeTags: [] }, 'action'],
    ['the tags of another action', { tags: ['x'], altText: 'x' }, 'tags'],
    ['a tag to add and to remove', { addTags: ['a'], removeTags: ['b', 'a'] }, 'removeTags'],
    ['an unknown placeholder', { titlePattern: 'A {name}' }, 'titlePattern'],
    ['a huge number of digits', { titlePattern: '{n:999999999}' }, 'titlePattern'],
    ['a single brace', { titlePattern: 'A { b' }, 'titlePattern'],
    ['an endless pattern', { titlePattern: '{title}'.repeat(1_500) }, 'titlePattern'],
    ['an empty pattern', { titlePattern: '  ' }, 'titlePattern'],
    ['control characters', { titlePattern: 'a\u0000b' }, 'titlePattern'],
    ['a negative number', { titlePattern: '{n}', startAt: -1 }, 'startAt'],
    ['half a number', { titlePattern: '{n}', startAt: 1.5 }, 'startAt'],
    ['an endless number', { titlePattern: '{n}', startAt: 1e21 }, 'startAt'],
    ['a long alt text', { altText: 'x'.repeat(2_001) }, 'altText'],
    ['a trial of another action', { action: 'trash', dryRun: true }, 'dryRun'],
  ])('reject %s', async (_what, fields, path) => {
    const response = await edit([UNKNOWN], fields);
    expectProblem(response, 400, 'validation_failed');
    expect(pathsOf(response)).toEqual([path]);
  });

  it.each([
    [
      'the same asset twice',
      { assets: [{ assetId: UNKNOWN }, { assetId: UNKNOWN.toUpperCase() }] },
      'assets',
    ],
    ['over 500 assets', { assets: Array(501).fill({ assetId: UNKNOWN }) }, 'assets'],
    ['an empty title', { assets: [{ assetId: UNKNOWN, title: ' ' }] }, 'assets.0.title'],
    ['a folder', { assets: [{ assetId: UNKNOWN, folderId: null }] }, 'assets.0.folderId'],
    ['no version', { assets: [{ assetId: UNKNOWN, version: 0 }] }, 'assets.0.version'],
  ])('with values of their own reject %s', async (_what, body, path) => {
    const response = await library.patch('', body);
    expectProblem(response, 400, 'validation_failed');
    expect(pathsOf(response)).toEqual([path]);
  });
});

describe('Bulk actions', () => {
  it.each([
    ['no assets', { assetIds: [], action: 'trash' }, 'assetIds'],
    ['over 500 assets', { assetIds: Array(501).fill(UNKNOWN), action: 'trash' }, 'assetIds'],
    ['no action', { assetIds: [UNKNOWN] }, 'action'],
    ['an unknown action', { assetIds: [UNKNOWN], action: 'purge' }, 'action'],
    ['a move to nowhere', { assetIds: [UNKNOWN], action: 'move' }, 'folderId'],
    ['no tags to add', { assetIds: [UNKNOWN], action: 'addTags' }, 'tags'],
    ['no tags to remove', { assetIds: [UNKNOWN], action: 'removeTags', tags: [] }, 'tags'],
    ['no surfaces', { assetIds: [UNKNOWN], action: 'setSurfaces' }, 'allowedSurfaces'],
    [
      'an unknown surface',
      { assetIds: [UNKNOWN], action: 'setSurfaces', allowedSurfaces: ['x'] },
      'allowedSurfaces',
    ],
    ['an unknown field', { assetIds: [UNKNOWN], action: 'trash', forced: true }, 'forced'],
    [
      'a force that is neither true nor false',
      { assetIds: [UNKNOWN], action: 'trash', force: 'yes' },
      'force',
    ],
  ])('rejects %s', async (_what, body, path) => {
    const response = await library.post('/bulk', body);
    expectProblem(response, 400, 'validation_failed');
    expect(pathsOf(response)).toEqual([path]);
  });

  it('handles 500 assets in one request', async () => {
    const ids = await all(500);
    const { status, body } = await library.post('/bulk', { assetIds: ids, action: 'addTags', tags: ['x'] });
    expect({ status, done: body.results.length }).toEqual({ status: 200, done: 500 });
    expect((await library.get('/tags')).body.tags).toEqual([{ tag: 'x', assets: 500 }]);
  });

  it('completes two requests with the same assets in a different order', async () => {
    const ids = await all(40);
    const responses = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        library.post('/bulk', {
          assetIds: index % 2 ? ids : [...ids].reverse(),
          action: 'addTags',
          tags: [`by ${index}`],
        }),
      ),
    );
    expect(responses.map(({ status }) => status)).toEqual(Array(8).fill(200));
    expect(
      (await snapshot()).every(({ tags, version }) => (tags as string[]).length === 8 && version === 9),
    ).toBe(true);
  });
});

describe('What a bulk action writes', () => {
  let proxy: StatementProxy;
  let service: LibraryService<Service>;
  beforeAll(async () => {
    const settings = await newSettings();
    proxy = await StatementProxy.to(settings.DATABASE_URL);
    service = await libraryOn(await launch({ ...settings, DATABASE_URL: proxy.via(settings.DATABASE_URL) }));
  });
  afterAll(async () => {
    await service.service.stop();
    await proxy.close();
  });

  it('is the searchable text only if a text has changed', async () => {
    const { admin, clientId } = service;
    const worst = '\uFDFA'.repeat(2000);
    const assets = Array.from({ length: 60 }, () => ({
      title: 'Bread',
      description: worst,
      altText: worst,
      tags: ['a'],
    }));
    const ids = await seedAssets(service.service.databaseUrl, clientId, assets);
    const folderId = await admin.folder('Target');
    const written = proxy.count(/UPDATE assets SET[^]*search_text/);
    for (const action of [
      { action: 'move', folderId },
      { action: 'setSurfaces', allowedSurfaces: ['gbp'] },
      { action: 'addTags', tags: ['a'] },
      { action: 'removeTags', tags: ['never'] },
    ])
      expect((await admin.post('/bulk', { assetIds: ids, ...action })).status).toBe(200);
    expect((await admin.patch(`/${ids[0]}`, { title: 'Bread', allowedSurfaces: [] })).status).toBe(200);
    expect(written.times).toBe(0);
    expect((await admin.get('?q=bread')).body.total).toBe(60);

    await admin.post('/bulk', { assetIds: ids, action: 'addTags', tags: ['fresh'] });
    expect(written.times).toBeGreaterThan(0);
    expect((await admin.get('?q=fresh bread')).body.total).toBe(60);
    const [first] = (await admin.get(`?folderId=${folderId}&limit=1`)).body.assets;
    expect(first).toMatchObject({ title: 'Bread', description: worst, tags: ['a', 'fresh'], version: 6 });
    const [{ length }] = (await query(
      service.service.databaseUrl,
      'SELECT max(length(search_text))::int AS length FROM assets',
    )) as [{ length: number }];
    expect(length).toBeLessThan(3 * 4_100);
  });
});
