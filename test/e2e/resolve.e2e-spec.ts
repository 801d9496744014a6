import { v7 } from 'uuid';
import { toAssetRef } from '../../src/common/asset-ref.js';
import { type Agent, newAgent, refsOf } from '../support/api/agents.js';
import { type Json, type LibraryService, newLibrary, sharedLibrary } from '../support/api/library.js';
import { expectProblem, pathsOf } from '../support/api/problems.js';
import { seedAssets } from '../support/database/seed-assets.js';
import { FILES, sha256, Uploader } from '../support/api/uploads.js';

let running: LibraryService;
let agent: Agent;

beforeAll(async () => {
  running = await sharedLibrary();
  agent = await newAgent(running);
});

const seed = (assets: Parameters<typeof seedAssets>[2]) =>
  seedAssets(running.service.databaseUrl, running.clientId, assets);
const MALFORMED: [string, (ref: string) => unknown][] = [
  ['an id', () => v7()],
  ['the suffix alone', (ref) => ref.slice('asset_'.length)],
  ['capitals', (ref) => ref.toUpperCase()],
  ['another prefix', (ref) => ref.replace('asset', 'folder')],
  ['no prefix', (ref) => ref.replace('asset', '')],
  ['too short', (ref) => ref.slice(0, -1)],
  ['too long', (ref) => `${ref}0`],
  ['a letter that TypeIDs do not use', (ref) => ref.replace(/.$/, 'u')],
  ['more than 128 bits', (ref) => ref.replace('_0', '_8')],
  ['a space', (ref) => `${ref} `],
  ['nothing', () => ''],
  ['a very long text', () => 'asset_'.repeat(10_000)],
];

describe('resolving', () => {
  it('returns the same records as the library, without their creators, in the order of the request, including duplicates', async () => {
    const ids = await seed([
      { title: 'A "quoted" title' },
      { tags: ['x'], takenAt: '2026-01-02T03:04:05Z' },
      {},
    ]);
    const refs = refsOf(ids);
    const asked = [refs[2], refs[0], refs[1], refs[0]];
    const { status, headers, body } = await agent.resolve(asked);
    expect(status).toBe(200);
    expect(headers.get('content-type')).toMatch(/^application\/json/);
    expect(body.results.map(({ assetRef, ok }: Json) => [assetRef, ok])).toEqual(
      asked.map((ref) => [ref, true]),
    );
    for (const { assetRef, asset } of body.results) {
      const { createdBy: _notForAgents, ...record } = (await running.admin.get(`/${assetRef}`)).body;
      expect(asset).toEqual(record);
    }
  });

  it('explains for each ref why it cannot be used', async () => {
    const [website, trashed] = await seed([{ allowedSurfaces: ['website'] }, {}]);
    const other = await newLibrary(running.owner);
    const [foreign] = await seedAssets(running.service.databaseUrl, other.clientId, [{}]);
    await running.admin.delete(`/${trashed}`);
    const refs = refsOf([website!, trashed!, foreign!, v7()]);
    const { status, body } = await agent.resolve(refs, 'social');
    expect(status).toBe(200);
    const detail = expect.stringMatching(/\S/);
    expect(body.results).toEqual([
      { assetRef: refs[0], ok: false, code: 'surface_not_allowed', detail },
      ...refs.slice(1).map((assetRef) => ({ assetRef, ok: false, code: 'asset_not_found', detail })),
    ]);
    // The three cases cannot be distinguished.
    expect(new Set(body.results.slice(1).map((row: Json) => row.detail)).size).toBe(1);
    const restore = (await running.admin.get('/trash')).body.items[0].batchId;
    await running.admin.post('/trash/restore', { batchId: restore });
    expect((await agent.resolve([refs[1]], 'social')).body.results[0].ok).toBe(true);
  });

  it('accepts 1 to 100 refs', async () => {
    const refs = refsOf(await seed(Array.from({ length: 100 }, () => ({}))));
    const { body } = await agent.resolve(refs);
    expect(body.results.filter(({ ok }: Json) => ok)).toHaveLength(100);
    for (const wrong of [[...refs, refs[0]], [], undefined, null, refs[0], { 0: refs[0] }])
      expectProblem(await agent.resolve(wrong), 400, 'validation_failed');
  });

  it.each(MALFORMED)('rejects a ref that is malformed: %s', async (_what, malform) => {
    const [ref] = refsOf(await seed([{}])) as [string];
    const response = await agent.resolve([ref, malform(ref), ref, malform(ref)]);
    expectProblem(response, 400, 'validation_failed');
    expect(pathsOf(response)).toEqual(['assetRefs[1]', 'assetRefs[3]']);
    const content = await agent.api.get(
      `${agent.path}/assets/${encodeURIComponent(String(malform(ref)))}/content?surface=website`,
    );
    // An empty ref, or one of 60 KB, does not match any route.
    if ([400, 404].includes(content.status) && content.body.code !== 'route_not_found') {
      expectProblem(content, 400, 'validation_failed');
      expect(pathsOf(content)).toEqual(['assetRef']);
    }
  });

  it.each([5, null, true, {}, [], ['asset_01h455vb4pex5vsknk084sn02q']])(
    'rejects %j as a ref',
    async (wrong) => {
      expect(pathsOf(await agent.resolve([wrong]))).toEqual(['assetRefs[0]']);
    },
  );

  it.each(['', 'Website', 'email', 'website,social', '__proto__'])(
    'rejects the surface %j',
    async (surface) => {
      const [ref] = refsOf(await seed([{}]));
      const response = await agent.resolve([ref], surface);
      expectProblem(response, 400, 'validation_failed');
      expect(pathsOf(response)).toEqual(['surface']);
      const content = await agent.content(ref!, `surface=${surface}`);
      expect(content.status).toBe(400);
    },
  );

  it('requires the client to be among those of the key', async () => {
    const other = await newLibrary(running.owner);
    const elsewhere = `/agents/clients/${other.clientId}/assets/resolve`;
    const body = { assetRefs: [toAssetRef(v7())], surface: 'website' };
    expectProblem(await agent.api.post(elsewhere, body), 404, 'client_not_found');
    expectProblem(await running.portal.api.post(elsewhere, body), 403, 'permission_denied');
  });
});

describe('content', () => {
  let ref: string;
  beforeAll(async () => {
    const uploader = Uploader.admin(running.owner, running.clientId);
    ref = (await uploader.upload(FILES.jpeg, { title: 'Storefront', allowedSurfaces: ['website'] })).assetRef;
  });

  it('is the stored bytes, whole or in part', async () => {
    const whole = await agent.content(ref, 'surface=website');
    expect(whole.status).toBe(200);
    const bytes = Buffer.from(await whole.arrayBuffer());
    expect(sha256(bytes)).toBe(sha256(FILES.jpeg.bytes));
    expect(whole.headers.get('content-type')).toBe('image/jpeg');
    expect(whole.headers.get('content-disposition')).toMatch(/^attachment/);
    const etag = whole.headers.get('etag')!;
    const part = await agent.content(ref, 'surface=website&rendition=original', { range: 'bytes=10-19' });
    expect(part.status).toBe(206);
    expect(Buffer.from(await part.arrayBuffer())).toEqual(FILES.jpeg.bytes.subarray(10, 20));
    const known = await agent.content(ref, 'surface=website', { 'if-none-match': etag });
    expect(known.status).toBe(304);
    const beyond = await agent.content(ref, 'surface=website', { range: 'bytes=99999999-' });
    expect(beyond.status).toBe(416);
  });

  it.each(['thumb', 'small', 'large'])('is the same preview as the library shows: %s', async (rendition) => {
    const content = await agent.content(ref, `surface=website&rendition=${rendition}`);
    const preview = await running.owner.fetch(
      'GET',
      `${running.admin.path}/${ref}/preview?size=${rendition}`,
    );
    expect([content.status, preview.status]).toEqual([200, 200]);
    expect(content.headers.get('etag')).toBe(preview.headers.get('etag'));
    expect(Buffer.from(await content.arrayBuffer())).toEqual(Buffer.from(await preview.arrayBuffer()));
  });

  it('is rejected for another surface: no byte, no 304, no range, no HEAD', async () => {
    for (const headers of [{}, { range: 'bytes=0-9' }, { 'if-none-match': '*' }] as Record<string, string>[])
      for (const rendition of ['original', 'thumb'])
        for (const method of ['GET', 'HEAD']) {
          const path = `${agent.path}/assets/${ref}/content?surface=social&rendition=${rendition}`;
          const response = await agent.api.fetch(method, path, { headers });
          expect(response.status).toBe(409);
        }
    const problem = await agent.api.get(`${agent.path}/assets/${ref}/content?surface=social`);
    expectProblem(problem, 409, 'surface_not_allowed');
    expect(problem.body.results).toMatchObject([{ assetRef: ref, ok: false, code: 'surface_not_allowed' }]);
  });

  it.each([
    'rendition=huge',
    'rendition=',
    'rendition=thumb&rendition=small',
    'size=thumb',
    'surface=social',
  ])('rejects the query %s', async (query) => {
    const response = await agent.content(ref, `surface=website&${query}`);
    expect(response.status).toBe(400);
  });

  it('needs a surface', async () => {
    const response = await agent.api.get(`${agent.path}/assets/${ref}/content`);
    expectProblem(response, 400, 'validation_failed');
    expect(pathsOf(response)).toEqual(['surface']);
  });
});
