import { type Agent, newAgent, refsOf, type Surface } from '../support/api/agents.js';
import { eventually } from '../support/eventually.js';
import { type LibraryService, sharedLibrary } from '../support/api/library.js';
import { newKey } from '../support/api/people.js';
import { expectProblem } from '../support/api/problems.js';
import { seedAssets } from '../support/database/seed-assets.js';
import { seedDelivery, seedTarget } from '../support/database/seed-deliveries.js';
import { query } from '../support/services/service.js';

const KEYS: readonly (readonly Surface[] | undefined)[] = [undefined, ['social'], ['website', 'gbp']];

let running: LibraryService;
let agents: Agent[];
/** Of a universal asset, and of one for the website. */
let refs: string[];

beforeAll(async () => {
  running = await sharedLibrary();
  agents = await Promise.all(KEYS.map((surfaces) => newAgent(running, surfaces)));
  const seeds = [{}, { allowedSurfaces: ['website'] }];
  refs = refsOf(await seedAssets(running.service.databaseUrl, running.clientId, seeds));
});

describe('an API key limited to surfaces', () => {
  const createKey = (body: object) => running.owner.post('/admin/api-keys', { name: 'Key', ...body });

  it('lists them, in their usual order; without any it has all', async () => {
    const grant = { role: 'agent', clientIds: [running.clientId] };
    const limited = await createKey({ ...grant, surfaces: ['social', 'website', 'social'] });
    expect(limited).toMatchObject({ status: 201, body: { surfaces: ['website', 'social'] } });
    for (const surfaces of [undefined, null])
      expect((await createKey({ ...grant, surfaces })).body.surfaces).toBeNull();
    const { apiKeys } = (await running.owner.get('/admin/api-keys')).body;
    const listed = apiKeys.find(({ keyId }: { keyId: string }) => keyId === limited.body.keyId);
    expect(listed.surfaces).toEqual(['website', 'social']);
  });

  it.each([[[]], ['social'], [['Social']], [['email']], [[null]], [[['social']]], [5]])(
    'cannot have the surfaces %j',
    async (surfaces) => {
      expectProblem(await createKey({ role: 'agent', surfaces }), 400, 'validation_failed');
    },
  );

  it('learns from the error which surfaces it has', async () => {
    const response = await agents[1]!.resolve([refs[0]], 'website');
    expectProblem(response, 409, 'surface_not_allowed');
    expect(response.body).toMatchObject({
      detail: 'This API key is limited to social and cannot use assets for website.',
      keySurfaces: ['social'],
    });
  });

  it('neither sees nor changes what others have recorded for other surfaces', async () => {
    const key = 'seo_post/website-only';
    await agents[0]!.reference('PUT', key, { featuredAssetRef: refs[1] });
    for (const method of ['GET', 'DELETE'] as const)
      expectProblem(await agents[1]!.reference(method, key), 409, 'surface_not_allowed');
    expect((await agents[0]!.reference('GET', key)).status).toBe(200);
    for (const [method, body] of [
      ['GET', undefined],
      ['POST', { name: 'X' }],
    ] as const)
      expectProblem(await agents[2]!.folders(method, body), 409, 'surface_not_allowed');
  });

  it('delivers a file that was delivered for another surface as if it was the first', async () => {
    const { service, clientId } = running;
    const { databaseUrl } = service;
    const targetId = await seedTarget(databaseUrl, clientId);
    for (const status of ['queued', 'delivered'] as const) {
      const [assetId] = (await seedAssets(databaseUrl, clientId, [{}])) as [string];
      const [assetRef] = refsOf([assetId]);
      const theirs = await seedDelivery(databaseUrl, { clientId, assetId, targetId, status });
      const request = { assetRef, targetId, surface: 'social' };
      const first = await agents[1]!.deliver(request);
      expect(first).toMatchObject({ status: 202, body: { surface: 'social', remoteUrl: null } });
      const repeated = await agents[1]!.deliver(request);
      expect([repeated.status, repeated.body.deliveryId]).toEqual([200, first.body.deliveryId]);
      // Callers that know of the other one get that.
      expect((await agents[0]!.deliver(request)).body.deliveryId).toBe(theirs);
      expect((await agents[2]!.deliver({ ...request, surface: 'gbp' })).body.deliveryId).toBe(theirs);
    }
  });

  it('cannot trash what belongs to other surfaces with a folder below Social', async () => {
    const { social } = await running.admin.protectedFolders();
    const { databaseUrl } = running.service;
    const folder = async (allowedSurfaces: Surface[]) => {
      const folderId = await running.admin.folder(allowedSurfaces.join(' ') || 'All', social);
      const seeds = [{ folderId }, { folderId, allowedSurfaces }];
      const [, assetId] = await seedAssets(databaseUrl, running.clientId, seeds);
      return { folderId, assetRef: refsOf([assetId!])[0] };
    };
    const website = await folder(['website']);
    expectProblem(
      await agents[1]!.folders('DELETE', { folderId: website.folderId }),
      409,
      'surface_not_allowed',
    );
    const both = await folder(['website', 'social']);
    expect((await agents[1]!.folders('DELETE', { folderId: both.folderId })).status).toBe(200);

    const used = await folder([]);
    const post = { assetRefs: [used.assetRef], title: 'Ours' };
    await agents[0]!.reference('PUT', 'social_post/used', post);
    await agents[0]!.reference('PUT', 'seo_post/used', { ...post, title: 'Theirs' });
    const refused = await agents[1]!.folders('DELETE', { folderId: used.folderId });
    expectProblem(refused, 409, 'asset_in_use');
    expect(refused.body).toMatchObject({ usageCount: 2, usages: [{ title: 'Ours' }] });
    expect(refused.body.usages).toHaveLength(1);
    expect((await agents[0]!.folders('DELETE', { folderId: website.folderId })).status).toBe(200);
  });

  it('has access to assets through no other route, whatever its role', async () => {
    const { key } = await newKey(running.owner, { role: 'owner', surfaces: ['social'] });
    const api = running.service.api.as(key);
    const assets = `/admin/clients/${running.clientId}/assets`;
    const targetId = await seedTarget(running.service.databaseUrl, running.clientId);
    for (const [method, path, body] of [
      ['GET', assets],
      ['GET', `${assets}/${refs[1]}/download`],
      ['GET', `${assets}/${refs[1]}/preview`],
      ['GET', `${assets}/folders/download`],
      ['PATCH', `${assets}/${refs[1]}`, { allowedSurfaces: [] }],
      ['DELETE', `${assets}/${refs[1]}?force=true`],
      ['GET', `/admin/clients/${running.clientId}/audit`],
      ['DELETE', `/admin/clients/${running.clientId}/targets/${targetId}`],
    ] as const)
      expectProblem(await api.request(method, path, { body }), 403, 'permission_denied');
    expect((await api.get('/auth/me')).body.permissions).not.toContain('assets:read');
  });

  it('grants no more than it has', async () => {
    const { key, keyId } = await newKey(running.owner, { role: 'owner', surfaces: ['social', 'gbp'] });
    const api = running.service.api.as(key);
    const create = (surfaces?: string[]) =>
      api.post('/admin/api-keys', { name: 'Key', role: 'agent', surfaces });
    expectProblem(await create(), 403, 'grant_not_held');
    expectProblem(await create(['social', 'website']), 403, 'grant_not_held');
    const created = await create(['social']);
    expect(created.status).toBe(201);
    const user = { email: 'new@test.example', password: 'long-enough-password', name: 'X', role: 'viewer' };
    expectProblem(await api.post('/admin/users', user), 403, 'permission_denied');
    const unlimited = await newKey(running.owner, { role: 'viewer' });
    expectProblem(await api.delete(`/admin/api-keys/${unlimited.keyId}`), 404, 'api_key_not_found');
    const seen = (await api.get('/admin/api-keys?limit=200')).body.apiKeys as { keyId: string }[];
    expect(seen.map((each) => each.keyId)).toEqual(expect.arrayContaining([keyId, created.body.keyId]));
    expect(seen.map((each) => each.keyId)).not.toContain(unlimited.keyId);
  });

  it('loses a surface within a moment after someone removes it in SQL', async () => {
    const { key, keyId } = await newKey(running.owner, {
      role: 'agent',
      clientIds: [running.clientId],
      surfaces: ['social', 'gbp'],
    });
    const resolve = () =>
      running.service.api
        .as(key)
        .post(`/agents/clients/${running.clientId}/assets/resolve`, { assetRefs: [refs[0]], surface: 'gbp' });
    for (let request = 0; request < 3; request++) expect((await resolve()).status).toBe(200);
    await query(running.service.databaseUrl, `UPDATE api_keys SET surfaces = '{social}' WHERE id = $1`, [
      keyId,
    ]);
    // Callers are cached for 5 s, unless Postgres reports a change.
    await eventually(async () => expectProblem(await resolve(), 409, 'surface_not_allowed'), 2_000);
  });
});
