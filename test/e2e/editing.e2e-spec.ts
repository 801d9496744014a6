import { randomBytes } from 'node:crypto';
import { type Library, type LibraryService, sharedLibrary, type Json } from '../support/api/library.js';
import { expectProblem, pathsOf } from '../support/api/problems.js';
import { type SeedAsset, seedAssets } from '../support/database/seed-assets.js';

let running: LibraryService;
let library: Library;
beforeAll(async () => {
  running = await sharedLibrary();
  library = running.admin;
});

async function seed(asset: SeedAsset = {}): Promise<string> {
  const [assetId] = await seedAssets(running.service.databaseUrl, running.clientId, [asset]);
  return assetId!;
}

describe('PATCH', () => {
  it('changes each field alone and keeps the others', async () => {
    const folderId = await library.folder('Target');
    const assetId = await seed({ title: 'Old', tags: ['old'], allowedSurfaces: ['gbp'] });
    let expected = (await library.get(`/${assetId}`)).body;
    for (const change of [
      { title: 'New' },
      { description: 'A\nlonger text' },
      { altText: 'What is seen' },
      { tags: ['b', 'a'] },
      { allowedSurfaces: ['website', 'social'] },
      { folderId },
      { folderId: null },
      { tags: [] },
      { allowedSurfaces: [] },
      { description: '' },
    ]) {
      const { status, body, headers } = await library.patch(`/${assetId}`, change);
      expected = {
        ...expected,
        ...change,
        version: expected.version + 1,
        updatedAt: expect.stringMatching(/Z$/),
      };
      expect({ status, body }).toEqual({ status: 200, body: expected });
      expect(headers.get('etag')).toBe(`"${expected.version}"`);
      expect((await running.portal.get(`/${assetId}`)).body).toEqual(expected);
    }
  });

  it('keeps titles and tags trimmed, tags once each, surfaces in their order', async () => {
    const assetId = await seed();
    const { body } = await running.portal.patch(`/${assetId}`, {
      title: '  Dawn ',
      tags: [' a ', 'a', 'e\u0301', 'é'],
      allowedSurfaces: ['gbp', 'website', 'gbp'],
    });
    expect(body).toMatchObject({ title: 'Dawn', tags: ['a', 'é'], allowedSurfaces: ['website', 'gbp'] });
  });

  it.each([
    ['title', ''],
    ['title', '   '],
    ['title', null],
    ['title', 5],
    ['title', 'x'.repeat(201)],
    ['title', 'a\u0007b'],
    ['description', null],
    ['description', 'x'.repeat(2001)],
    ['altText', 'x'.repeat(2001)],
    ['tags', 'autumn'],
    ['tags', null],
    ['tags', ['']],
    ['tags', [5]],
    ['tags', ['x'.repeat(65)]],
    ['tags', Array.from({ length: 51 }, (_, index) => `t${index}`)],
    ['allowedSurfaces', ['billboard']],
    ['allowedSurfaces', 'website'],
    ['folderId', 'top'],
    ['colour', 'red'],
    ['version', 1],
    ['sizeBytes', 1],
    ['batchId', null],
    ['clientId', 'other'],
  ])('rejects %s: %j', async (field, value) => {
    const assetId = await seed();
    const response = await library.patch(`/${assetId}`, { title: 'Changed', [field]: value });
    expectProblem(response, 400, 'validation_failed');
    expect(new Set(pathsOf(response).map((path) => path.split('.')[0]))).toEqual(new Set([field]));
    expect((await library.get(`/${assetId}`)).body).toMatchObject({ title: 'Untitled', version: 1 });
  });

  it('accepts everything at its limit, even without repetition', async () => {
    const assetId = await seed();
    const random = (length: number) => randomBytes(length).toString('hex').slice(0, length);
    const change = {
      title: random(200),
      description: random(2000),
      altText: random(2000),
      tags: Array.from({ length: 50 }, () => random(64)),
    };
    expect((await library.patch(`/${assetId}`, change)).body).toMatchObject(change);
    const wide = { title: '🍞'.repeat(200), tags: ['🍞'.repeat(64)] };
    expect((await library.patch(`/${assetId}`, wide)).body).toMatchObject(wide);
    const { body } = await library.get('?sort=title&limit=1');
    expect((await library.get(`?sort=title&limit=1&cursor=${body.nextCursor}`)).status).toBe(200);
  });

  it('only moves into existing folders of the client', async () => {
    const assetId = await seed();
    const trashed = await library.folder('Trashed');
    await library.delete('/folders', { folderId: trashed });
    for (const folderId of [trashed, '0198a3c4-7b1e-7cc0-8f5e-2f5d1c9a7b10'])
      expectProblem(await library.patch(`/${assetId}`, { folderId }), 404, 'folder_not_found');
  });

  it('is recorded with the old and the new values', async () => {
    const assetId = await seed({ title: 'Old' });
    await library.patch(`/${assetId}`, { title: 'New', tags: ['x'] });
    const { body } = await running.owner.get(`/admin/clients/${running.clientId}/audit?limit=1`);
    expect(body.events[0]).toMatchObject({
      action: 'asset.update',
      subjectKind: 'asset',
      subjectId: assetId,
      before: { title: 'Old', tags: [] },
      after: { title: 'New', tags: ['x'] },
    });
  });
});

describe('If-Match', () => {
  it('accepts the current version, once', async () => {
    const assetId = await seed();
    const first = await library.patch(`/${assetId}`, { title: 'One' }, { 'if-match': '"1"' });
    expect(first.body.version).toBe(2);
    const second = await library.patch(`/${assetId}`, { title: 'Two' }, { 'if-match': '"1"' });
    expectProblem(second, 412, 'version_mismatch');
    expect(second.body.version).toBe(2);
    const again = await library.patch(
      `/${assetId}`,
      { title: 'Two' },
      { 'if-match': first.headers.get('etag')! },
    );
    expect(again.body).toMatchObject({ title: 'Two', version: 3 });
  });

  it('of ten simultaneous requests lets exactly one succeed', async () => {
    const assetId = await seed();
    const responses = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        library.patch(`/${assetId}`, { title: `By ${index}` }, { 'if-match': '"1"' }),
      ),
    );
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(responses.filter(({ status }) => status === 412)).toHaveLength(9);
    expect((await library.get(`/${assetId}`)).body.version).toBe(2);
  });

  it.each(['1', '"x"', '""', 'W/"1"', '"1", "2"', '"-1"', '"1.0"', '"99999999999"'])(
    'rejects %s, changing nothing',
    async (header) => {
      const assetId = await seed();
      const headers = { 'if-match': header };
      expectProblem(await library.patch(`/${assetId}`, { title: 'X' }, headers), 412, 'version_mismatch');
      expectProblem(await library.delete(`/${assetId}`, undefined, headers), 412, 'version_mismatch');
      expect((await library.get(`/${assetId}`)).body).toMatchObject({ title: 'Untitled', version: 1 });
    },
  );

  it('guards deleting too; * means any version', async () => {
    const assetId = await seed();
    await library.patch(`/${assetId}`, { title: 'X' }, { 'if-match': '*' });
    expectProblem(
      await library.delete(`/${assetId}`, undefined, { 'if-match': '"1"' }),
      412,
      'version_mismatch',
    );
    expect((await library.delete(`/${assetId}`, undefined, { 'if-match': '"2"' })).status).toBe(200);
  });
});

describe('the next read', () => {
  it('shows the change everywhere: get, list, tags, tree, on both sides', async () => {
    const [from, to] = [await library.folder('From'), await library.folder('To')];
    const assetId = await seed({ folderId: from, tags: ['before'] });
    const counted = async (tag: string) => {
      const { body } = await running.portal.get('/tags');
      return body.tags.find((entry: Json) => entry.tag === tag)?.assets ?? 0;
    };
    expect(await counted('before')).toBe(1);
    await library.patch(`/${assetId}`, { title: 'Moved', tags: ['after'], folderId: to });
    expect((await running.portal.get(`?folderId=${from}`)).body.assets).toEqual([]);
    expect((await running.portal.get(`?folderId=${to}`)).body.assets).toMatchObject([
      { assetId, title: 'Moved', folderId: to },
    ]);
    expect([await counted('before'), await counted('after')]).toEqual([0, 1]);
    const tree = await running.portal.tree();
    expect([tree.get('From').assets, tree.get('To').assets]).toEqual([0, 1]);
  });

  it('counts tags, most used first, then by name', async () => {
    const own = await library.folder('Tagged');
    const before = (await library.get('/tags')).body.tags as { tag: string; assets: number }[];
    await seedAssets(running.service.databaseUrl, running.clientId, [
      { folderId: own, tags: ['zz-two', 'zz-one'] },
      { folderId: own, tags: ['zz-two'] },
      { folderId: own, tags: ['zz-also'] },
    ]);
    const after = (await library.get('/tags')).body.tags as { tag: string; assets: number }[];
    const added = after.filter(({ tag }) => !before.some((known) => known.tag === tag));
    expect(added).toEqual([
      { tag: 'zz-two', assets: 2 },
      { tag: 'zz-also', assets: 1 },
      { tag: 'zz-one', assets: 1 },
    ]);
  });
});

describe('Editing an asset', () => {
  it('accepts an id or a reference, and nothing else', async () => {
    const assetId = await seed({ title: 'Known' });
    const { assetRef } = (await library.get(`/${assetId}`)).body;
    expect(assetRef).toMatch(/^asset_[0-7][0-9a-hjkmnp-tv-z]{25}$/);
    for (const name of [assetId, assetId.toUpperCase(), assetRef])
      expect((await library.get(`/${name}`)).body).toMatchObject({ assetId, title: 'Known' });
    for (const name of [`folder_${assetRef.slice(6)}`, assetRef.slice(0, -1), 'x', '0', `${assetId}x`])
      expectProblem(await library.get(`/${encodeURIComponent(name)}`), 404, 'asset_not_found');
  });
});
