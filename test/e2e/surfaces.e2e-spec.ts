import { randomUUID } from 'node:crypto';
import type { ApiResponse } from '../support/api.js';
import { type Agent, KIND_OF, newAgent, refsOf, type Surface, SURFACES } from '../support/agents.js';
import { eventually } from '../support/eventually.js';
import { type Json, type LibraryService, newLibrary, sharedLibrary } from '../support/library.js';
import { newKey } from '../support/people.js';
import { expectProblem } from '../support/problems.js';
import { seedAssets } from '../support/seed-assets.js';
import { query } from '../support/service.js';

/** `ok`, or the code that this route returns for this asset. */
type Outcome = string;

interface Way {
  readonly name: string;
  /** Absent: all surfaces. */
  readonly surfaces?: readonly Surface[];
  /** It returns any assets, so those that are not allowed are omitted. */
  readonly isSearch?: boolean;
  readonly take: (agent: Agent, assetRef: string, surface: Surface) => Promise<Outcome>;
}

const outcomeOf = ({ status, body }: ApiResponse): Outcome => (status < 300 ? 'ok' : body.code);

/** Every route by which an asset reaches a surface. Add a row for each new one. */
const WAYS: readonly Way[] = [
  {
    name: 'resolve',
    take: async (agent, assetRef, surface) => {
      const response = await agent.resolve([assetRef], surface);
      if (response.status !== 200) return outcomeOf(response);
      const [row] = response.body.results;
      expect(row.asset === undefined).toBe(!row.ok);
      return row.ok ? 'ok' : row.code;
    },
  },
  ...['original', 'thumb'].map((rendition): Way => ({
    name: `content, ${rendition}`,
    take: async (agent, assetRef, surface) => {
      const response = await agent.content(assetRef, `surface=${surface}&rendition=${rendition}`);
      if (response.status !== 200) return ((await response.json()) as { code: string }).code;
      expect((await response.arrayBuffer()).byteLength).toBeGreaterThan(0);
      return 'ok';
    },
  })),
  {
    name: 'reference, featured',
    take: async (agent, assetRef, surface) =>
      outcomeOf(
        await agent.reference('PUT', `${KIND_OF[surface]}/${randomUUID()}`, { featuredAssetRef: assetRef }),
      ),
  },
  {
    name: 'reference, attached',
    take: async (agent, assetRef, surface) =>
      outcomeOf(
        await agent.reference('PUT', `${KIND_OF[surface]}/${randomUUID()}`, { assetRefs: [assetRef] }),
      ),
  },
  {
    name: 'post',
    surfaces: ['social'],
    take: async (agent, assetRef) =>
      outcomeOf(
        await agent.posted({ assetRef, platform: 'other', postUrl: `https://x.example/${randomUUID()}` }),
      ),
  },
  {
    name: 'pick',
    isSearch: true,
    take: async (agent, assetRef, surface) => {
      const response = await agent.api.post(`${agent.path}/assets/pick`, { surface, count: 20 });
      if (response.status !== 200) return outcomeOf(response);
      return response.body.candidates.some((each: Json) => each.assetRef === assetRef) ? 'ok' : 'left out';
    },
  },
  {
    name: 'MCP, find_assets',
    isSearch: true,
    take: async (agent, assetRef, surface) => {
      const { code, json } = await agent.tool('find_assets', { surface, limit: 50 });
      return code ?? (json.assets.some((each: Json) => each.ref === assetRef) ? 'ok' : 'left out');
    },
  },
  {
    name: 'MCP, view_assets',
    take: async (agent, assetRef, surface) => {
      const { code, json, pictures } = await agent.tool('view_assets', { assetRefs: [assetRef], surface });
      return code ?? (pictures === 1 ? 'ok' : json.assets[0].code);
    },
  },
  {
    name: 'MCP, check_assets',
    take: async (agent, assetRef, surface) => {
      const { code, json } = await agent.tool('check_assets', { assetRefs: [assetRef], surface });
      return code ?? (json.assets[0].allowed ? 'ok' : json.assets[0].code);
    },
  },
  {
    name: 'MCP, set_references',
    take: async (agent, assetRef, surface) => {
      const reference = { kind: KIND_OF[surface], externalId: randomUUID(), assetRefs: [assetRef] };
      return (await agent.tool('set_references', reference)).code ?? 'ok';
    },
  },
  {
    name: 'MCP, deliver_assets',
    take: async (agent, assetRef, surface) => {
      const request = { targetId, assetRefs: [assetRef], surface };
      const { code, json } = await agent.tool('deliver_assets', request);
      return code ?? json.deliveries[0].code ?? 'ok';
    },
  },
  {
    name: 'MCP, file_as_posted',
    surfaces: ['social'],
    take: async (agent, assetRef) => {
      const post = { assetRefs: [assetRef], network: 'other', postUrl: `https://x.example/${randomUUID()}` };
      const { code, json } = await agent.tool('file_as_posted', post);
      return code ?? json.assets[0].code ?? 'ok';
    },
  },
  {
    name: 'delivery',
    take: async (agent, assetRef, surface) => outcomeOf(await agent.deliver({ assetRef, targetId, surface })),
  },
];

const ALLOWED: readonly (readonly Surface[])[] = [[], ['website'], ['social'], ['website', 'gbp']];
const KEYS: readonly (readonly Surface[] | undefined)[] = [undefined, ['social'], ['website', 'gbp']];

let running: LibraryService;
let agents: Agent[];
/** One for each of `ALLOWED`. */
let refs: string[];
let missing: Record<string, string>;
let targetId: string;

beforeAll(async () => {
  running = await sharedLibrary();
  agents = await Promise.all(KEYS.map((surfaces) => newAgent(running, surfaces)));
  refs = await Promise.all(
    ALLOWED.map(async (allowedSurfaces) => {
      const { uploadToken } = await running.admin.upload();
      const { status, body } = await running.admin.finalize(uploadToken, { allowedSurfaces });
      expect(status).toBe(201);
      return body.assetRef as string;
    }),
  );
  const { databaseUrl } = running.service;
  // Nobody sends anything: there is no worker.
  const [target] = await query<{ id: string }>(
    databaseUrl,
    `INSERT INTO targets (id, client_id, kind, name, url, method, state)
       VALUES (gen_random_uuid(), $1, 'http', 'Endpoint', 'http://127.0.0.1:1/', 'PUT', 'unverified') RETURNING id`,
    [running.clientId],
  );
  targetId = target!.id;
  const other = await newLibrary(running.owner);
  const folderId = await running.admin.folder('Trashed');
  const [trashed, inTrashedFolder] = await seedAssets(databaseUrl, running.clientId, [{}, { folderId }]);
  const [foreign] = await seedAssets(databaseUrl, other.clientId, [{}]);
  await running.admin.delete(`/${trashed}`);
  await running.admin.delete('/folders', { folderId });
  const [trashedRef, inTrashedFolderRef, foreignRef, unknownRef] = refsOf([
    trashed!,
    inTrashedFolder!,
    foreign!,
    '0198a3c4-7b1e-7cc0-8f5e-2f5d1c9a7b10',
  ]) as [string, string, string, string];
  missing = { trashedRef, inTrashedFolderRef, foreignRef, unknownRef };
});

describe.each(WAYS)('through $name', ({ surfaces = SURFACES, isSearch = false, take }) => {
  it('an asset is only available for the surfaces that it and the key allow', async () => {
    for (const [keyIndex, keySurfaces] of KEYS.entries())
      for (const [assetIndex, allowed] of ALLOWED.entries())
        for (const surface of surfaces) {
          const isForKey = keySurfaces === undefined || keySurfaces.includes(surface);
          const mayLeave = isForKey && (allowed.length === 0 || allowed.includes(surface));
          const outcome = await take(agents[keyIndex]!, refs[assetIndex]!, surface);
          expect({ keySurfaces, allowed, surface, outcome }).toEqual({
            keySurfaces,
            allowed,
            surface,
            outcome: mayLeave ? 'ok' : isSearch && isForKey ? 'left out' : 'surface_not_allowed',
          });
        }
  });

  it('what is trashed, unknown or of another client does not exist', async () => {
    for (const [what, ref] of Object.entries(missing))
      for (const surface of surfaces)
        expect([what, await take(agents[0]!, ref, surface)]).toEqual([
          what,
          isSearch ? 'left out' : 'asset_not_found',
        ]);
  });
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

  it('has access to assets through no other route, whatever its role', async () => {
    const { key } = await newKey(running.owner, { role: 'owner', surfaces: ['social'] });
    const api = running.service.api.as(key);
    const assets = `/admin/clients/${running.clientId}/assets`;
    for (const [method, path, body] of [
      ['GET', assets],
      ['GET', `${assets}/${refs[1]}/download`],
      ['GET', `${assets}/${refs[1]}/preview`],
      ['GET', `${assets}/folders/download`],
      ['PATCH', `${assets}/${refs[1]}`, { allowedSurfaces: [] }],
      ['DELETE', `${assets}/${refs[1]}?force=true`],
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
    expectProblem(await api.post('/admin/users', user), 403, 'grant_not_held');
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
