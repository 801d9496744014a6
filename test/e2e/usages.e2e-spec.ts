import { v7 } from 'uuid';
import { type Agent, newAgent, refsOf, seedRefs } from '../support/api/agents.js';
import { eventually } from '../support/eventually.js';
import {
  type Json,
  Library,
  type LibraryService,
  newLibrary,
  sharedLibrary,
} from '../support/api/library.js';
import { newKey, newPerson } from '../support/api/people.js';
import { expectProblem } from '../support/api/problems.js';
import { type SeedAsset, seedAssets, seedFiles } from '../support/database/seed-assets.js';
import { query } from '../support/services/service.js';
import { stateOf } from '../support/database/state-of.js';

let shared: LibraryService;
let running: LibraryService;
let library: Library;
let agent: Agent;
/** Without a worker, so that no job changes the state that tests compare. */
beforeAll(async () => (shared = await sharedLibrary()));
beforeEach(async () => use({ ...shared, ...(await newLibrary(shared.owner)) }));

async function use(next: LibraryService): Promise<void> {
  running = next;
  library = running.admin;
  agent = await newAgent(running);
}

const sql = <T = Json>(text: string, values: unknown[] = []) =>
  query<T>(running.service.databaseUrl, text, values);
const seed = (assets: SeedAsset[]) => seedAssets(running.service.databaseUrl, running.clientId, assets);
const refs = (count: number, asset?: SeedAsset) => seedRefs(running, count, asset);
const put = (key: string, body: unknown) => agent.reference('PUT', key, body);
const usagesOf = async (ref: string): Promise<Json[]> => (await library.get(`/${ref}/usages`)).body.usages;

describe('usages', () => {
  it('are listed newest first, in pages', async () => {
    const [ref] = await refs(1);
    const names = Array.from({ length: 5 }, (_, index) => `post-${index}`);
    for (const name of names) await put(`seo_post/${name}`, { assetRefs: [ref] });
    const seen: string[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const { status, body } = await library.get(`/${ref}/usages?limit=2${cursor && `&cursor=${cursor}`}`);
      expect(status).toBe(200);
      expect(body.usages.length).toBeLessThanOrEqual(2);
      seen.push(...body.usages.map(({ externalId }: Json) => externalId));
      cursor = body.nextCursor;
    }
    expect(seen).toEqual([...names].reverse());
  });

  it('are those of a live asset of the client, and their cursor is checked', async () => {
    const [ref] = await refs(1);
    const other = await newLibrary(running.owner);
    for (const [side, what] of [
      [library, 'nonsense'],
      [library, v7()],
      [other.admin, ref],
      [other.portal, ref],
    ] as const)
      expectProblem(await side.get(`/${what}/usages`), 404, 'asset_not_found');
    for (const position of [null, 5, {}, [], '\u0000', 'x']) {
      const cursor = Buffer.from(JSON.stringify(position)).toString('base64url');
      expectProblem(await library.get(`/${ref}/usages?cursor=${cursor}`), 400, 'validation_failed');
    }
    expectProblem(await library.get(`/${ref}/usages?limit=201`), 400, 'validation_failed');
  });

  it('filter a listing, with other filters, a search and below a folder', async () => {
    const folderId = await library.folder('Folder');
    const ids = await seed([
      { title: 'Used top', tags: ['a'] },
      { title: 'Unused top', tags: ['a'] },
      { title: 'Used deep', folderId },
      { title: 'Unused deep', folderId, tags: ['a'] },
    ]);
    const [usedTop, unusedTop, usedDeep, unusedDeep] = ids as [string, string, string, string];
    await put('seo_post/1', { assetRefs: refsOf([usedTop, usedDeep]) });
    const listed = async (parameters: string) => {
      const { status, body } = await library.get(`?${parameters}`);
      expect(status).toBe(200);
      expect(body).toMatchObject({ total: body.assets.length, totalIsExact: true });
      return body.assets.map(({ assetId }: Json) => assetId).sort();
    };
    expect(await listed('used=true')).toEqual([usedTop]);
    expect(await listed('used=false')).toEqual([unusedTop]);
    expect(await listed('used=true&below=true')).toEqual([usedTop, usedDeep].sort());
    expect(await listed('used=false&below=true&tags=a')).toEqual([unusedTop, unusedDeep].sort());
    expect(await listed(`used=true&folderId=${folderId}`)).toEqual([usedDeep]);
    expect(await listed('used=false&q=deep')).toEqual([unusedDeep]);
    expect(
      (await library.listAll('below=true&used=true&limit=1&sort=title')).map(({ title }) => title),
    ).toEqual(['Used deep', 'Used top']);
    for (const wrong of ['used=maybe', 'used=', 'used=1', 'used=true&used=false'])
      expectProblem(await library.get(`?${wrong}`), 400, 'validation_failed');
  });

  it('are counted in the record of each asset', async () => {
    const [one, two] = (await refs(2)) as [string, string];
    const counts = async () =>
      Promise.all([one, two].map(async (ref) => (await library.get(`/${ref}`)).body.usages));
    const first = await put('seo_post/counted', { featuredAssetRef: one, assetRefs: [one, two] });
    expect(first.body.results.map(({ asset }: Json) => asset.usages)).toEqual([1, 1, 1]);
    await put('seo_post/counted', { featuredAssetRef: one, assetRefs: [one, two] });
    expect(await counts()).toEqual([1, 1]);
    const { version } = (await library.get(`/${one}`)).body;
    expect(version).toBe(1);
    await put('seo_post/counted', { assetRefs: [two] });
    expect(await counts()).toEqual([0, 1]);
    await agent.reference('DELETE', 'seo_post/counted');
    expect(await counts()).toEqual([0, 0]);
  });

  describe('of one asset in one post count once', () => {
    const postUrl = 'https://www.instagram.com/p/DBq1x2yN0aB/';
    let ref: string;
    beforeEach(async () => ([ref] = (await refs(1)) as [string]));
    const reference = (more: object = {}) =>
      put('social_post/autumn', { featuredAssetRef: ref, assetRefs: [ref], title: 'Autumn', ...more });
    const file = (url = postUrl) => agent.posted({ assetRef: ref, platform: 'instagram', postUrl: url });
    const uses = async () => {
      const listed = (await usagesOf(ref)).map(({ role, title, url }) => [role, title, url]);
      expect((await library.get(`/${ref}`)).body.usages).toBe(listed.length);
      return listed;
    };

    it('in every role, and the list shows the most telling one', async () => {
      await reference();
      expect(await uses()).toEqual([['featured', 'Autumn', null]]);
      const refused = await library.delete(`/${ref}`);
      expectProblem(refused, 409, 'asset_in_use');
      expect([refused.body.usageCount, refused.body.usages]).toMatchObject([1, [{ role: 'featured' }]]);
    });

    it.each([
      ['that has the same address', { url: postUrl.replace('https://www', 'HTTPS://WWW') }],
      ['that had no address yet', {}],
    ])('when it is filed as posted after a reference %s', async (_what, more) => {
      await reference(more);
      await file();
      await file();
      const once = [['posted', 'Autumn', postUrl]];
      expect(await uses()).toEqual(once);
      // Recorded again, now with the address.
      await reference({ url: postUrl });
      expect(await uses()).toEqual(once);
      expect((await agent.reference('GET', 'social_post/autumn')).body).toMatchObject({
        featuredAssetRef: ref,
        assetRefs: [ref],
        url: postUrl,
      });
      await agent.reference('DELETE', 'social_post/autumn');
      expect(await uses()).toEqual([['posted', null, postUrl]]);
    });

    it('and another post is another use', async () => {
      await reference();
      await Promise.all([file(), file(`${postUrl}2`)]);
      expect(await uses()).toHaveLength(2);
      await reference({ url: 'https://elsewhere.example/' });
      expect(await uses()).toHaveLength(3);
      await reference({ url: `${postUrl}2` });
      expect(await uses()).toHaveLength(2);
    });
  });

  it('are counted exactly when references of the same assets change concurrently', async () => {
    const some = await refs(6);
    const responses = await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        put(`seo_post/at-once-${index}`, { assetRefs: index % 2 ? some : [...some].reverse() }),
      ),
    );
    expect(responses.map(({ status }) => status)).toEqual(Array(12).fill(200));
    const changes = await Promise.all(
      Array.from({ length: 6 }, (_, index) =>
        put(`seo_post/at-once-${index}`, { assetRefs: index % 2 ? some.slice(3) : some.slice(0, 3) }),
      ),
    );
    expect(changes.map(({ status }) => status)).toEqual(Array(6).fill(200));
    for (const ref of some) expect((await library.get(`/${ref}`)).body.usages).toBe(9);
  });

  it('survive the trash, and are deleted by the purge', async () => {
    await use(await sharedLibrary({ WORKER: 'inline' }));
    const [file] = await seedFiles(running.service, running.clientId, [{ bytes: Buffer.from('x') }]);
    const [ref] = refsOf([file!.assetId]) as [string];
    await put('seo_post/1', { featuredAssetRef: ref });
    const before = await usagesOf(ref);
    const { batchId } = (await library.delete(`/${ref}?force=true`)).body;
    expectProblem(await library.get(`/${ref}/usages`), 404, 'asset_not_found');
    await library.post('/trash/restore', { batchId });
    expect(await usagesOf(ref)).toEqual(before);
    await library.delete(`/${ref}?force=true`);
    await library.delete('/trash');
    await eventually(async () =>
      expect(await sql('SELECT 1 FROM usages WHERE client_id = $1', [running.clientId])).toEqual([]),
    );
    expectProblem(await agent.reference('GET', 'seo_post/1'), 404, 'reference_not_found');
  });
});

describe('an asset that a reference uses', () => {
  let folderId: string;
  let ref: string;
  let assetId: string;
  let free: string;
  beforeEach(async () => {
    folderId = await library.folder('Outer');
    const inner = await library.folder('Inner', folderId);
    [assetId, free] = (await seed([{ folderId: inner }, { folderId }])) as [string, string];
    [ref] = refsOf([assetId]) as [string];
    for (let post = 0; post < 22; post++)
      await put(`seo_post/${post}`, { featuredAssetRef: ref, ...(post ? { assetRefs: [ref] } : {}) });
  });
  /** Each way to trash it, with `force` or not. */
  const ways: [string, (side: Library, force?: boolean) => Promise<Json>, string][] = [
    ['by itself', (side, force) => side.delete(`/${ref}${force ? '?force=true' : ''}`), 'asset_in_use'],
    [
      'with its folder',
      (side, force) => side.delete('/folders', { folderId, ...(force ? { force } : {}) }),
      'asset_in_use',
    ],
    [
      'with its folder, by the query',
      (side, force) => side.delete(`/folders?folderId=${folderId}${force ? '&force=true' : '&force=false'}`),
      'asset_in_use',
    ],
    [
      'in bulk',
      (side, force) => side.post('/bulk', { action: 'trash', assetIds: [free, ref], force }),
      'bulk_failed',
    ],
  ];

  it.each(ways)('is not trashed %s, unless operators or owners force it', async (_way, trash, code) => {
    const operator = (await newPerson(running.owner, { role: 'operator', clientIds: [running.clientId] }))
      .api;
    const before = await stateOf(running.service);
    for (const side of [library, running.portal]) {
      const response = await trash(side);
      expectProblem(response, 409, code);
      expect(response.body.usageCount).toBe(22);
      expect(response.body.usages).toHaveLength(20);
      expect(response.body.usages[0]).toMatchObject({
        assetId,
        assetRef: ref,
        kind: 'seo_post',
        externalId: '21',
        surface: 'website',
      });
      if (code === 'bulk_failed')
        expect(response.body.results).toEqual([
          { assetId: free, ok: true },
          { assetId, ok: false, code: 'asset_in_use' },
        ]);
    }
    const refused = await trash(running.portal, true);
    expectProblem(refused, 403, 'permission_denied');
    expect(refused.body.permission).toBe('assets:trash-used');
    expect(await stateOf(running.service)).toEqual(before);

    expect((await trash(new Library(operator, library.path), true)).status).toBe(200);
    expectProblem(await library.get(`/${ref}`), 404, 'asset_not_found');
    const [event] = await sql(
      `SELECT before FROM events WHERE client_id = $1 AND action LIKE '%.trash' ORDER BY id DESC LIMIT 1`,
      [running.clientId],
    );
    expect(event.before).toMatchObject({ force: true });
  });

  it('is trashed as any other once the references are gone, or only history is left', async () => {
    for (let post = 0; post < 22; post++) await agent.reference('DELETE', `seo_post/${post}`);
    await agent.posted({ assetRef: ref, platform: 'x', postUrl: 'https://x.example/1' });
    expect((await running.portal.delete(`/${ref}`)).status).toBe(200);
  });

  it('does not prevent trashing of what references no longer use, or what is elsewhere', async () => {
    expect((await running.portal.delete(`/${free}`)).status).toBe(200);
    const empty = await library.folder('Empty');
    expect((await running.portal.delete('/folders', { folderId: empty })).status).toBe(200);
    await library.patch(`/${ref}`, { folderId: null });
    expect((await running.portal.delete('/folders', { folderId })).status).toBe(200);
  });

  it.each(['force=yes', 'force=', 'force=1', 'Force=true'])('rejects %s', async (force) => {
    expectProblem(await library.delete(`/${ref}?${force}`), 400, 'validation_failed');
  });

  it('is either referenced or trashed when both happen at the same time', async () => {
    const manager = running.portal;
    const rounds = 12;
    const fresh = await Promise.all(
      Array.from({ length: rounds }, async (_, round) => {
        const folder = await library.folder(`Race ${round}`);
        return { folder, ref: (await refs(1, { folderId: folder }))[0]! };
      }),
    );
    const outcomes = await Promise.all(
      fresh.map(async ({ folder, ref: asset }, round) => {
        const trash = [
          () => manager.delete(`/${asset}`),
          () => manager.delete('/folders', { folderId: folder }),
          () => manager.post('/bulk', { action: 'trash', assetIds: [asset] }),
        ][round % 3]!;
        const record = () => put(`seo_post/race-${round}`, { assetRefs: [asset] });
        const [recorded, trashed] =
          round % 2
            ? await Promise.all([record(), trash()])
            : (await Promise.all([trash(), record()])).reverse();
        return [recorded!.status, trashed!.status];
      }),
    );
    for (const outcome of outcomes)
      expect([
        [200, 409],
        [404, 200],
      ]).toContainEqual(outcome);
  });
});

describe('Usages', () => {
  it('portal and agents see usages only through their own routes', async () => {
    const [ref] = await refs(1);
    expectProblem(await agent.api.get(`${library.path}/${ref}/usages`), 403, 'permission_denied');
    const { key } = await newKey(running.owner, { role: 'viewer', clientIds: [running.clientId] });
    const viewer = running.service.api.as(key);
    expect((await viewer.get(`${library.path}/${ref}/usages`)).status).toBe(200);
    const path = `${agent.path}/references/seo_post/1`;
    expectProblem(await viewer.put(path, { assetRefs: [ref] }), 403, 'permission_denied');
    expectProblem(await viewer.get(path), 403, 'permission_denied');
  });
});
