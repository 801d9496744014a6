import { v7 } from 'uuid';
import { type Agent, newAgent, refsOf, seedRefs } from '../support/api/agents.js';
import {
  type Json,
  type Library,
  type LibraryService,
  newLibrary,
  sharedLibrary,
} from '../support/api/library.js';
import { expectProblem, pathsOf } from '../support/api/problems.js';
import { type SeedAsset, seedAssets } from '../support/database/seed-assets.js';
import { query } from '../support/services/service.js';
import { stateOf } from '../support/database/state-of.js';

let running: LibraryService;
let library: Library;
let agent: Agent;
beforeAll(async () => (running = await sharedLibrary()));
beforeEach(async () => {
  running = { ...running, ...(await newLibrary(running.owner)) };
  library = running.admin;
  agent = await newAgent(running);
});

const sql = <T = Json>(text: string, values: unknown[] = []) =>
  query<T>(running.service.databaseUrl, text, values);
const seed = (assets: SeedAsset[]) => seedAssets(running.service.databaseUrl, running.clientId, assets);
const refs = (count: number, asset?: SeedAsset) => seedRefs(running, count, asset);
const put = (key: string, body: unknown) => agent.reference('PUT', key, body);
const usagesOf = async (ref: string): Promise<Json[]> => (await library.get(`/${ref}/usages`)).body.usages;

describe('a reference', () => {
  it('records each asset with its role, and returns the resolved assets in order', async () => {
    const [cover, ...others] = await refs(4);
    const post = { title: 'Ten breads', url: 'https://bakery.example/blog/ten?x=1#top' };
    const response = await put('seo_post/post-1', { featuredAssetRef: cover, assetRefs: others, ...post });
    expect(response).toMatchObject({
      status: 200,
      body: {
        kind: 'seo_post',
        externalId: 'post-1',
        surface: 'website',
        ...post,
        featuredAssetRef: cover,
        assetRefs: others,
      },
    });
    expect(response.body.results.map(({ role, assetRef, ok }: Json) => [role, assetRef, ok])).toEqual([
      ['featured', cover, true],
      ...others.map((ref) => ['attached', ref, true]),
    ]);
    for (const { assetRef, asset } of response.body.results) {
      const { createdBy: _notForAgents, ...record } = (await library.get(`/${assetRef}`)).body;
      expect(asset).toEqual(record);
    }
    expect((await agent.reference('GET', 'seo_post/post-1')).body).toEqual(response.body);

    const [usage] = await usagesOf(cover!);
    expect(usage).toEqual({
      usageId: response.body.results[0].usageId,
      kind: 'seo_post',
      externalId: 'post-1',
      surface: 'website',
      role: 'featured',
      ...post,
      createdAt: expect.stringMatching(/Z$/),
      createdBy: 'Test key',
    });
    expect((await running.portal.get(`/${cover}/usages`)).body.usages).toEqual([usage]);
  });

  it.each([
    ['seo_post', 'website'],
    ['website_change', 'website'],
    ['social_post', 'social'],
    ['gbp_update', 'gbp'],
  ])('of the kind %s belongs to the surface %s', async (kind, surface) => {
    const [right] = await refs(1, { allowedSurfaces: [surface] });
    const [wrong] = await refs(1, {
      allowedSurfaces: ['website', 'social', 'gbp'].filter((each) => each !== surface),
    });
    expect((await put(`${kind}/1`, { assetRefs: [right] })).body.surface).toBe(surface);
    const refused = await put(`${kind}/2`, { assetRefs: [right, wrong] });
    expectProblem(refused, 409, 'surface_not_allowed');
    expect(refused.body.results).toMatchObject([{ assetRef: wrong, ok: false, code: 'surface_not_allowed' }]);
  });

  it('is replaced as a whole; what stays keeps its id and its time', async () => {
    const [a, b, c, d] = (await refs(4)) as [string, string, string, string];
    const first = (await put('seo_post/1', { featuredAssetRef: a, assetRefs: [b, c] })).body;
    const second = (await put('seo_post/1', { featuredAssetRef: b, assetRefs: [c, d, b], title: 'New' }))
      .body;
    expect(second).toMatchObject({ featuredAssetRef: b, assetRefs: [c, d, b], title: 'New', url: null });
    const usageOf = (response: Json, role: string, ref: string) =>
      response.results.find((row: Json) => row.role === role && row.assetRef === ref);
    for (const ref of [b, c])
      expect(usageOf(second, 'attached', ref)).toMatchObject({
        usageId: usageOf(first, 'attached', ref).usageId,
        createdAt: usageOf(first, 'attached', ref).createdAt,
      });
    expect(await usagesOf(a)).toEqual([]);
    expect((await usagesOf(b)).map(({ role }) => role)).toEqual(['featured']);
    expect((await agent.reference('GET', 'seo_post/1')).body).toEqual(second);
  });

  it('repeated changes nothing; a ref named twice counts once', async () => {
    const [a, b] = await refs(2);
    const body = { featuredAssetRef: a, assetRefs: [a, b, a], title: 'T', url: 'http://x.example/' };
    const first = await put('gbp_update/1', body);
    expect(first.body.assetRefs).toEqual([a, b]);
    const before = await stateOf(running.service);
    expect((await put('gbp_update/1', body)).body).toEqual(first.body);
    expect(await stateOf(running.service)).toEqual(before);
  });

  it('stores nothing when any ref cannot be used, and names each', async () => {
    const [good] = await refs(1);
    const [social] = await refs(1, { allowedSurfaces: ['social'] });
    const other = await newLibrary(running.owner);
    const [foreign] = refsOf(await seedAssets(running.service.databaseUrl, other.clientId, [{}]));
    const [unknown] = refsOf([v7()]);
    await put('seo_post/kept', { assetRefs: [good] });
    const before = await stateOf(running.service);
    for (const [body, status, code, bad] of [
      [{ featuredAssetRef: foreign, assetRefs: [good] }, 404, 'asset_not_found', [foreign]],
      [{ featuredAssetRef: good, assetRefs: [unknown] }, 404, 'asset_not_found', [unknown]],
      [{ assetRefs: [good, social, unknown] }, 409, 'surface_not_allowed', [social, unknown]],
    ] as const)
      for (const key of ['seo_post/kept', 'seo_post/new']) {
        const response = await put(key, body);
        expectProblem(response, status, code);
        expect(response.body.results.map(({ assetRef }: Json) => assetRef)).toEqual(bad);
      }
    expect(await stateOf(running.service)).toEqual(before);
  });

  it('is one complete set after many concurrent PUTs', async () => {
    const sets = await Promise.all(Array.from({ length: 8 }, () => refs(3)));
    const shared = await refs(2);
    const bodies = sets.map(([featuredAssetRef, ...own], index) => ({
      featuredAssetRef,
      assetRefs: index % 2 ? [...own, ...shared] : [...shared, ...own],
    }));
    const responses = await Promise.all(bodies.map((body) => put('social_post/same', body)));
    expect(responses.map(({ status }) => status)).toEqual(bodies.map(() => 200));
    responses.forEach(({ body }, index) => expect(body).toMatchObject(bodies[index]!));
    const { featuredAssetRef, assetRefs } = (await agent.reference('GET', 'social_post/same')).body;
    expect(bodies).toContainEqual({ featuredAssetRef, assetRefs });
    const rows = await sql('SELECT 1 FROM usages WHERE client_id = $1', [running.clientId]);
    expect(rows).toHaveLength(5);
  });

  it('is removed once, leaves the assets, and is in the audit log', async () => {
    const [a] = await refs(1);
    expectProblem(await agent.reference('GET', 'seo_post/1'), 404, 'reference_not_found');
    expectProblem(await agent.reference('DELETE', 'seo_post/1'), 404, 'reference_not_found');
    await put('seo_post/1', { featuredAssetRef: a });
    expect((await agent.reference('DELETE', 'seo_post/1')).status).toBe(204);
    expectProblem(await agent.reference('DELETE', 'seo_post/1'), 404, 'reference_not_found');
    expect(await usagesOf(a!)).toEqual([]);
    const { events } = (await running.owner.get(`/admin/clients/${running.clientId}/audit`)).body;
    expect(events.slice(0, 2)).toMatchObject([
      { action: 'reference.delete', subjectId: 'seo_post/1', before: { featuredAssetRef: a }, after: null },
      { action: 'reference.set', actor: { kind: 'api_key' }, after: { featuredAssetRef: a, assetRefs: [] } },
    ]);
  });

  it('is not accessible for another client', async () => {
    const [a] = await refs(1);
    await put('seo_post/1', { assetRefs: [a] });
    const key = 'seo_post/1';
    const other = await newAgent({ ...running, ...(await newLibrary(running.owner)) });
    expectProblem(await other.reference('GET', key), 404, 'reference_not_found');
    expectProblem(await other.reference('DELETE', key), 404, 'reference_not_found');
    expectProblem(await other.api.get(`${agent.path}/references/${key}`), 404, 'client_not_found');
    expect((await agent.reference('GET', key)).status).toBe(200);
  });

  it('shows what can no longer be used as such', async () => {
    const ids = await seed([{}, {}, {}]);
    const [kept, limited, trashed] = refsOf(ids);
    await put('seo_post/1', { assetRefs: [kept, limited, trashed] });
    await library.patch(`/${limited}`, { allowedSurfaces: ['social'] });
    expect((await library.delete(`/${trashed}?force=true`)).status).toBe(200);
    const { status, body } = await agent.reference('GET', 'seo_post/1');
    expect(status).toBe(200);
    expect(body.assetRefs).toEqual([kept, limited, trashed]);
    expect(body.results.map(({ code }: Json) => code)).toEqual([
      undefined,
      'surface_not_allowed',
      'asset_not_found',
    ]);
    expect(body.results[2].asset).toBeUndefined();
  });
});

describe('bad input of a reference', () => {
  const bad: [string, string, object, string][] = [
    ['an unknown kind', 'blog_post/1', {}, 'kind'],
    ['a kind in capitals', 'SEO_POST/1', {}, 'kind'],
    ['an inherited kind', 'toString/1', {}, 'kind'],
    ['a delivery', 'delivery/1', {}, 'kind'],
    ...[
      'a%2Fb',
      '..%2F..',
      'a%20b',
      '%F0%9F%98%80',
      'a'.repeat(201),
      'a'.repeat(500),
      '-a',
      'ü',
      'a%0Ab',
      '%25',
    ].map((id): [string, string, object, string] => [
      `the external id ${id}`,
      `seo_post/${id}`,
      {},
      'externalId',
    ]),
    ['no asset', 'seo_post/1', { assetRefs: undefined }, 'assetRefs'],
    ['an empty list', 'seo_post/1', { assetRefs: [] }, 'assetRefs'],
    ['nulls', 'seo_post/1', { assetRefs: null, featuredAssetRef: null }, 'assetRefs'],
    ['an id', 'seo_post/1', { featuredAssetRef: v7() }, 'featuredAssetRef'],
    ['a list as featured', 'seo_post/1', { featuredAssetRef: [] }, 'featuredAssetRef'],
    ['a wrong ref', 'seo_post/1', { assetRefs: ['asset_x'] }, 'assetRefs[0]'],
    ['text for a list', 'seo_post/1', { assetRefs: 'asset_x' }, 'assetRefs'],
    ['101 refs', 'seo_post/1', { assetRefs: Array(101).fill('asset_x') }, 'assetRefs'],
    ['an empty title', 'seo_post/1', { title: ' ' }, 'title'],
    ['a long title', 'seo_post/1', { title: 'x'.repeat(201) }, 'title'],
    ...[
      'javascript:alert(1)',
      'ftp://x.example/',
      'file:///etc/passwd',
      '//x.example/',
      'https:x.example',
      'https://',
      'x.example',
      'https://user@x.example/',
      'https://user:secret@x.example/',
      'https://x.example/a b',
      'https://x.example/\n',
      `https://x.example/${'a'.repeat(2_031)}`,
      5,
    ].map((url): [string, string, object, string] => [`the address ${url}`, 'seo_post/1', { url }, 'url']),
  ];

  it('is rejected, names the field, and stores nothing', async () => {
    const [ref] = await refs(1);
    const before = await stateOf(running.service);
    for (const [what, key, body, path] of bad) {
      const response = await put(key, { assetRefs: [ref], ...body });
      expect([what, response.status, response.body.code]).toEqual([what, 400, 'validation_failed']);
      expect([what, [...new Set(pathsOf(response))]]).toEqual([what, [path]]);
    }
    expect((await put('seo_post/a/b', { assetRefs: [ref] })).status).toBe(404);
    expect(await stateOf(running.service)).toEqual(before);
  });

  it('is accepted within the limits', async () => {
    const [ref] = await refs(1);
    for (const id of ['a', '4711', 'wp:post.4711~draft_2-x', 'a'.repeat(200)]) {
      const url = `https://x.example/${'a'.repeat(2_030)}`;
      expect((await put(`seo_post/${id}`, { assetRefs: [ref], title: 'x'.repeat(200), url })).status).toBe(
        200,
      );
      expect((await agent.reference('GET', `seo_post/${id}`)).body.externalId).toBe(id);
    }
  });
});
