import { toAssetRef } from '../../src/common/asset-ref.js';
import type { Api } from '../support/api/api.js';
import { Library, type LibraryService, sharedLibrary } from '../support/api/library.js';
import { newClient, newKey, newPerson, newPicker } from '../support/api/people.js';
import { expectProblem } from '../support/api/problems.js';
import { uniqueJpeg, Uploader } from '../support/api/uploads.js';
import { seedAssets } from '../support/database/seed-assets.js';
import { eventually } from '../support/eventually.js';
import { query } from '../support/services/service.js';

let running: LibraryService;
let clientId: string;
let otherClientId: string;
/** The key of the panel. */
let panel: Api;
let panelKeyId: string;

beforeAll(async () => {
  running = await sharedLibrary();
  ({ clientId } = running);
  otherClientId = await newClient(running.owner, 'Another');
  ({ api: panel, keyId: panelKeyId } = await keyOf({ role: 'operator', clientIds: [clientId] }));
});

async function keyOf(grant: Parameters<typeof newKey>[1]): Promise<{ api: Api; keyId: string }> {
  const { key, keyId } = await newKey(running.owner, grant);
  return { api: running.service.api.as(key), keyId };
}

const tokenOf = async (maker = panel, request: object = {}): Promise<string> =>
  (await maker.post('/admin/picker-tokens', { clientId, ...request })).body.token as string;
const open = (token: string, headers?: Record<string, string>) =>
  running.service.api.post('/auth/picker', { token }, headers);
const libraryOf = async (request: object = {}, maker = panel) =>
  new Library(
    running.service.api.as(await newPicker(maker, { clientId, ...request })),
    `/admin/clients/${clientId}/assets`,
  );
const change = (sql: string, ...values: unknown[]) => query(running.service.databaseUrl, sql, values);

describe('A picker token', () => {
  it('is exchanged for access to what it says, for an hour, without a cookie', async () => {
    const created = await panel.post('/admin/picker-tokens', { clientId, surface: 'social', multiple: true });
    expect(created.status).toBe(201);
    expect(Date.parse(created.body.expiresAt) - Date.now()).toBeLessThan(61_000);
    const opened = await open(created.body.token);
    expect(opened).toMatchObject({
      status: 200,
      body: {
        tokenType: 'Bearer',
        expiresIn: 3600,
        clientId,
        surface: 'social',
        multiple: true,
        uploads: false,
      },
    });
    expect(opened.headers.get('set-cookie')).toBeNull();
    // Neither secret is stored.
    const [row] = await change('SELECT * FROM picker_tokens WHERE api_key_id = $1', panelKeyId);
    for (const secret of [created.body.token, opened.body.accessToken])
      expect(JSON.stringify(row)).not.toContain(secret);
  });

  it('is rejected with the same problem if it is used, expired or unknown', async () => {
    const [used, expired] = [await tokenOf(), await tokenOf()];
    expect((await open(used)).status).toBe(200);
    await change(
      `UPDATE picker_tokens SET expires_at = now() WHERE token_hash = sha256($1::text::bytea)`,
      expired,
    );
    const problems = [];
    for (const token of [used, expired, 'x'.repeat(43)]) {
      const response = await open(token);
      expectProblem(response, 401, 'picker_token_invalid');
      problems.push({ ...response.body, requestId: '' });
    }
    expect(new Set(problems.map((problem) => JSON.stringify(problem))).size).toBe(1);
    // It is no credential itself.
    expectProblem(await running.service.api.as(await tokenOf()).get('/auth/me'), 401, 'unauthenticated');
  });

  it('is exchanged by only one of several requests at the same time, which the activity shows', async () => {
    const { api, keyId } = await keyOf({ role: 'operator', clientIds: [clientId] });
    const token = await tokenOf(api, { surface: 'social' });
    const responses = await Promise.all(Array.from({ length: 6 }, () => open(token)));
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401, 401, 401]);
    const { events } = (await running.owner.get(`/admin/clients/${clientId}/audit?actor=${keyId}`)).body;
    expect(events).toHaveLength(1);
    expect(events[0]).toMatchObject({
      action: 'picker.open',
      actor: { kind: 'api_key', id: keyId },
      subjectKind: 'client',
      subjectId: clientId,
      after: { surface: 'social', uploads: false },
    });
  });

  it('cannot be used up by a page of another origin', async () => {
    const token = await tokenOf();
    expectProblem(await open(token, { origin: 'https://elsewhere.example' }), 403, 'origin_not_allowed');
    expect((await open(token, { origin: running.service.url })).status).toBe(200);
  });

  it('cannot be guessed for long', async () => {
    // An address of its own, so that the limit does not concern other tests.
    const address = { 'x-forwarded-for': '203.0.113.77' };
    const proxied = await sharedLibrary({ TRUST_PROXY: '1' });
    const guess = (token: string) => proxied.service.api.post('/auth/picker', { token }, address);
    const guesses = await Promise.all(Array.from({ length: 101 }, (_, index) => guess(`guess-${index}`)));
    expect(guesses.filter(({ status }) => status === 401)).toHaveLength(100);
    expectProblem(await guess('one more'), 429, 'too_many_attempts');
  });

  it('gives no more than its maker holds', async () => {
    const create = (maker: Api, request: object = {}) =>
      maker.post('/admin/picker-tokens', { clientId, ...request });
    const viewer = (await keyOf({ role: 'viewer', clientIds: [clientId] })).api;
    expect((await create(viewer)).status).toBe(201);
    expectProblem(await create(viewer, { uploads: true }), 403, 'grant_not_held');
    expectProblem(await create(panel, { clientId: otherClientId }), 404, 'client_not_found');
    expectProblem(await create(panel, { clientId: 'nobody' }), 404, 'client_not_found');
    for (const grant of [
      { role: 'agent', clientIds: [clientId] },
      { role: 'operator', clientIds: [clientId], surfaces: ['social'] },
      { role: 'client_manager', clientIds: [clientId] },
    ])
      expectProblem(await create((await keyOf(grant)).api), 403, 'permission_denied');
    const picker = (await libraryOf({ uploads: true })).api;
    expectProblem(await create(picker), 403, 'permission_denied');
  });
});

describe('A picker', () => {
  it('reaches only its client', async () => {
    const { api } = await libraryOf();
    expect((await api.get(`/admin/clients/${clientId}/assets`)).status).toBe(200);
    expectProblem(await api.get(`/admin/clients/${otherClientId}/assets`), 404, 'client_not_found');
    expectProblem(await api.get('/portal/assets'), 403, 'permission_denied');
  });

  it('ends after an hour', async () => {
    const library = await libraryOf({ multiple: true });
    await change(
      `UPDATE picker_tokens SET expires_at = now() WHERE api_key_id = $1 AND multiple AND access_hash IS NOT NULL`,
      panelKeyId,
    );
    expectProblem(await library.get(), 401, 'unauthenticated');
  });

  it.each<[string, (keyId: string) => Promise<unknown>]>([
    ['the key is revoked', (keyId) => running.owner.delete(`/admin/api-keys/${keyId}`)],
    ['the key expires', (keyId) => change('UPDATE api_keys SET expires_at = now() WHERE id = $1', keyId)],
    [
      'the key loses the client',
      (keyId) => change(`UPDATE api_keys SET client_ids = '{}' WHERE id = $1`, keyId),
    ],
    [
      'the key may no longer write',
      (keyId) => change(`UPDATE api_keys SET role = 'viewer' WHERE id = $1`, keyId),
    ],
  ])('ends when %s', async (_what, end) => {
    const { api, keyId } = await keyOf({ role: 'operator', clientIds: [clientId] });
    const library = await libraryOf({ uploads: true }, api);
    const unused = await tokenOf(api, { uploads: true });
    expect((await library.get()).status).toBe(200);
    await end(keyId);
    // A change in the database itself may take a moment to be noticed.
    await eventually(async () => expectProblem(await library.get(), 401, 'unauthenticated'), 5_000);
    expectProblem(await open(unused), 401, 'picker_token_invalid');
    const opened = await running.owner.get(`/admin/audit?actor=${keyId}&action=picker.open`);
    expect(opened.body.events).toHaveLength(1);
  });

  it.each<[string, (userId: string, api: Api) => Promise<unknown>]>([
    ['is deactivated', (userId) => running.owner.patch(`/admin/users/${userId}`, { isActive: false })],
    [
      'becomes a portal user',
      (userId) => running.owner.patch(`/admin/users/${userId}`, { role: 'client_viewer' }),
    ],
    ['signs out', (_userId, api) => api.post('/auth/logout')],
  ])('ends when the user who made it %s', async (_what, end) => {
    const { api, userId } = await newPerson(running.owner, { role: 'operator', clientIds: [clientId] });
    const library = await libraryOf({}, api);
    expect((await library.get()).status).toBe(200);
    await end(userId, api);
    expectProblem(await library.get(), 401, 'unauthenticated');
  });

  it('uploads in the name of its maker', async () => {
    const { api } = await libraryOf({ uploads: true });
    const asset = await Uploader.admin(api, clientId).upload(uniqueJpeg(), { title: 'From the panel' });
    expect(asset.allowedSurfaces).toEqual([]);
    const { events } = (await running.owner.get(`/admin/clients/${clientId}/audit?assetId=${asset.assetId}`))
      .body;
    expect(events[0]).toMatchObject({
      action: 'asset.create',
      actor: { kind: 'api_key', id: panelKeyId },
      after: { via: 'picker' },
    });
  });
});

describe('A picker for one surface', () => {
  let library: Library;
  let ids: { everywhere: string; social: string; website: string };
  beforeAll(async () => {
    const folderId = await running.admin.folder('Posts');
    const upload = async (title: string, allowedSurfaces: string[]) =>
      (
        await Uploader.admin(running.owner, clientId).upload(uniqueJpeg(), {
          title,
          allowedSurfaces,
          folderId,
          tags: [title],
        })
      ).assetId as string;
    ids = {
      everywhere: await upload('everywhere', []),
      social: await upload('social', ['social']),
      website: await upload('website', ['website']),
    };
    await seedAssets(running.service.databaseUrl, clientId, [
      { folderId, allowedSurfaces: ['website', 'gbp'] },
    ]);
    library = await libraryOf({ surface: 'social', uploads: true });
  });

  it('lists only what is allowed there, whatever it asks for', async () => {
    const folderId = (await library.tree()).get('Posts').folderId as string;
    for (const parameters of ['', '&surface=social', '&q=e', '&sort=title&offset=0']) {
      const { body } = await library.get(`?folderId=${folderId}&below=true${parameters}`);
      const found = body.assets.map(({ assetId }: { assetId: string }) => assetId);
      expect([...found].sort()).toEqual(
        parameters === '&q=e' ? [ids.everywhere] : [ids.everywhere, ids.social].sort(),
      );
    }
    for (const surface of ['website', 'gbp'])
      expectProblem(await library.get(`?surface=${surface}`), 409, 'surface_not_allowed');
  });

  it('does not learn who works for the agency', async () => {
    const { body } = await library.get('?below=true&q=everywhere');
    expect(body.assets[0].createdBy).toEqual({ kind: 'agency', id: null, name: 'Agency' });
  });

  it('counts only those in folders and tags', async () => {
    expect((await library.tree()).get('Posts')).toMatchObject({ assets: 2, totalAssets: 2 });
    expect((await running.admin.tree()).get('Posts')).toMatchObject({ assets: 4 });
    const { tags } = (await library.get('/tags')).body;
    expect(tags).toEqual([
      { tag: 'everywhere', assets: 1 },
      { tag: 'social', assets: 1 },
    ]);
  });

  it('shows previews of only those, in every form', async () => {
    for (const form of ['', '?size=thumb', '?size=large', '?fit=social', '?fit=website&shape=square']) {
      for (const assetId of [ids.everywhere, ids.social])
        expect((await library.get(`/${assetId}/preview${form}`)).status).toBe(200);
      for (const ref of [ids.website, toAssetRef(ids.website)])
        expectProblem(await library.get(`/${ref}/preview${form}`), 404, 'asset_not_found');
      expect((await running.admin.get(`/${ids.website}/preview${form}`)).status).toBe(200);
    }
  });

  it('uploads only for it', async () => {
    const upload = async (details: object) =>
      library.finalize((await library.upload()).uploadToken, { ...details });
    for (const allowedSurfaces of [undefined, [], ['social']])
      expect(await upload({ allowedSurfaces })).toMatchObject({
        status: 201,
        body: { allowedSurfaces: ['social'] },
      });
    for (const allowedSurfaces of [['website'], ['social', 'website']])
      expectProblem(await upload({ allowedSurfaces }), 409, 'surface_not_allowed');
  });
});
