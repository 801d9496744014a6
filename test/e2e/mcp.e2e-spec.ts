import { toAssetRef } from '../../src/common/asset-ref.js';
import type { ApiResponse, Api } from '../support/api/api.js';
import { eventually } from '../support/eventually.js';
import { type LibraryService, libraryOn, newLibrary } from '../support/api/library.js';
import { type Era, ERAS, McpAgent } from '../support/api/mcp.js';
import { newKey, newPerson, PASSWORD } from '../support/api/people.js';
import { expectProblem } from '../support/api/problems.js';
import { seedAssets } from '../support/database/seed-assets.js';
import { query, type Service, startService } from '../support/services/service.js';
import { FILES, Uploader } from '../support/api/uploads.js';

const TOOLS = [
  'list_clients',
  'find_assets',
  'view_assets',
  'check_assets',
  'get_usages',
  'set_references',
  'file_as_posted',
  'deliver_assets',
  'get_deliveries',
];
const UNKNOWN = '0198a3c4-7b1e-7cc0-8f5e-2f5d1c9a7b10';
const ACCEPT = { accept: 'application/json, text/event-stream' };
const call = (name: string, input: object, id: number | string = 1) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, arguments: input },
});

let running: LibraryService<Service>;
let url: string;
let key: string;
let agent: McpAgent;
/** The same caller without the client. */
let raw: Api;
let other: { clientId: string };

beforeAll(async () => {
  running = await libraryOn(await startService());
  ({ url } = running.service);
  other = await newLibrary(running.owner);
  ({ key } = await newKey(running.owner, { role: 'agent', clientIds: [running.clientId] }));
  agent = await McpAgent.connect(url, key);
  raw = running.service.api.as(key);
});
afterAll(async () => {
  await agent?.close();
  await running?.service.stop();
});

const post = (body: unknown, headers: Record<string, string> = {}, api = raw): Promise<ApiResponse> =>
  api.post('/agents/mcp', body, { ...ACCEPT, ...headers });
const keyFor = async (grant: { role: string; clientIds?: string[] | null; surfaces?: string[] }) =>
  (await newKey(running.owner, grant)).key;

describe.each(Object.keys(ERAS) as Era[])('in the %s protocol', (era) => {
  let client: McpAgent;
  beforeAll(async () => {
    client = await McpAgent.connect(url, key, era);
  });
  afterAll(() => client?.close());

  it('explains how to run a campaign, and lists few tools briefly', async () => {
    expect(client.client.getInstructions()).toMatch(/find_assets.*deliver_assets.*file_as_posted/s);
    const { tools } = await client.client.listTools();
    expect(tools.map(({ name }) => name).sort()).toEqual([...TOOLS].sort());
    // About 4 characters to a token.
    expect(JSON.stringify(tools).length).toBeLessThan(9_000);
    for (const tool of tools) {
      expect(tool.outputSchema).toBeUndefined();
      expect(tool.inputSchema).toMatchObject({ type: 'object', additionalProperties: false });
    }
  });

  it('explains to the model what is wrong with its arguments', async () => {
    for (const [input, named] of [
      [{ surface: 'email' }, 'surface'],
      [{}, 'surface'],
      [{ surface: 'social', limit: 51 }, 'limit'],
      [{ surface: 'social', colour: 'red' }, 'colour'],
    ] as const) {
      const response = await client.call('find_assets', input);
      expect(response.isError).toBe(true);
      expect(response.text).toContain(named);
    }
  });

  it('rejects unknown tools as a protocol error', async () => {
    await expect(client.call('drop_table')).rejects.toMatchObject({ code: -32602 });
  });
});

describe('finding assets', () => {
  it('returns short rows, best first, page by page', async () => {
    const { clientId } = await newLibrary(running.owner);
    const ids = await seedAssets(
      running.service.databaseUrl,
      clientId,
      Array.from({ length: 25 }, (_, n) => ({
        title: `Storefront ${n}`,
        altText: n === 0 ? 'A shop' : '',
        width: 1600,
        height: 1200,
        sizeBytes: 500_000,
        createdAt: new Date(Date.now() - n * 60_000).toISOString(),
      })),
    );
    const client = await McpAgent.connect(url, await keyFor({ role: 'agent', clientIds: [clientId] }));
    const refs: string[] = [];
    let cursor: string | undefined;
    do {
      const { json } = await client.call('find_assets', {
        surface: 'website',
        q: 'storefront',
        limit: 10,
        cursor,
      });
      refs.push(...json.assets.map(({ ref }: { ref: string }) => ref));
      cursor = json.nextCursor;
    } while (cursor);
    expect(refs).toEqual(ids.map(toAssetRef));
    const first = await client.call('find_assets', { surface: 'website', q: 'storefront' });
    expect(first.json.assets[0]).toEqual({
      ref: refs[0],
      title: 'Storefront 0',
      alt: 'A shop',
      type: 'jpeg',
      size: '1600x1200',
      fit: 'ready',
      uses: 0,
      why: "matches 'storefront', never used on website, ready",
    });
    expect(first.text.length).toBeLessThan(10 * 320);
    const wrong = await client.call('find_assets', { surface: 'website', cursor: 'nonsense' });
    expect(wrong.text).toMatch(/^validation_failed: cursor/);
    await client.close();
  });

  it('filters by kind, tags, use and channel', async () => {
    const { clientId } = await newLibrary(running.owner);
    const [film, used] = await seedAssets(running.service.databaseUrl, clientId, [
      { title: 'Film', mimeType: 'video/mp4' },
      { title: 'Used', tags: ['autumn'], width: 1080, height: 1080, sizeBytes: 500_000 },
    ]);
    const client = await McpAgent.connect(url, await keyFor({ role: 'agent', clientIds: [clientId] }));
    const usedRef = toAssetRef(used!);
    await client.call('set_references', { kind: 'social_post', externalId: 'p1', assetRefs: [usedRef] });
    const found = async (input: object) => {
      const { json } = await client.call('find_assets', { surface: 'social', ...input });
      return json.assets.map(({ title, uses }: { title: string; uses: number }) => `${title} ${uses}`);
    };
    expect(await found({ kind: 'video' })).toEqual(['Film 0']);
    expect(await found({ tags: ['autumn'] })).toEqual(['Used 1']);
    expect(await found({ used: false })).toEqual(['Film 0']);
    expect(await found({ used: true })).toEqual(['Used 1']);
    expect(await found({ channel: 'instagram_feed' })).toEqual(['Used 1', 'Film 0']);
    const wrong = await client.call('find_assets', { surface: 'social', channel: 'gbp_photo' });
    expect(wrong.text).toMatch(/^validation_failed: channel: gbp_photo belongs to the surface gbp/);
    expect(film).toBeDefined();
    await client.close();
  });
});

describe('access', () => {
  it('is rejected for anonymous callers, portal roles and roles that cannot find assets', async () => {
    expectProblem(await post(call('list_clients', {}), {}, running.service.api), 401, 'unauthenticated');
    for (const role of ['viewer', 'client_manager']) {
      const api = running.service.api.as(await keyFor({ role, clientIds: [running.clientId] }));
      expectProblem(await post(call('list_clients', {}), {}, api), 403, 'permission_denied');
    }
  });

  it('is rejected for cookies and for pages of other origins', async () => {
    const { email } = await newPerson(running.owner, { role: 'operator' });
    const login = await running.service.api.post('/auth/login', { email, password: PASSWORD });
    const cookie = login.headers
      .getSetCookie()
      .find((each) => each.startsWith('session='))!
      .split(';')[0]!;
    const page = { cookie, origin: url, 'sec-fetch-site': 'same-origin' };
    expectProblem(await post(call('list_clients', {}), page, running.service.api), 401, 'unauthenticated');
    for (const origin of ['https://evil.example', 'null', `${url}.evil.example`])
      expectProblem(await post(call('list_clients', {}), { origin }), 403, 'origin_not_allowed');
    expect((await post(call('list_clients', {}), { origin: url })).status).toBe(200);
  });

  it('each tool needs the permission of its route', async () => {
    const client = await McpAgent.connect(
      url,
      await keyFor({ role: 'operator', clientIds: [running.clientId] }),
    );
    const response = await client.call('file_as_posted', {
      assetRefs: [toAssetRef(UNKNOWN)],
      network: 'instagram',
      postUrl: 'https://instagram.com/p/1',
    });
    expect(response).toMatchObject({ isError: true });
    expect(response.text).toMatch(/^permission_denied: .*social:organize.* Ask a person/);
    expect((await client.call('list_clients')).isError).toBe(false);
    await client.close();
  });

  it('reaches only the clients of the key, and requires a client id when there are several', async () => {
    for (const clientId of [other.clientId, 'no-such-client'])
      expect((await agent.call('find_assets', { surface: 'social', clientId })).text).toMatch(
        /^client_not_found: .* Call list_clients/,
      );
    const both = await McpAgent.connect(
      url,
      await keyFor({ role: 'agent', clientIds: [running.clientId, other.clientId] }),
    );
    expect((await both.call('find_assets', { surface: 'social' })).text).toMatch(
      /^validation_failed: clientId/,
    );
    const found = await both.call('find_assets', { surface: 'social', clientId: other.clientId });
    expect(found.json).toEqual({ assets: [] });
    const { clients } = (await both.call('list_clients')).json;
    expect(clients.map(({ clientId }: { clientId: string }) => clientId).sort()).toEqual(
      [running.clientId, other.clientId].sort(),
    );
    const one = await both.call('list_clients', { q: other.clientId.slice(4).toUpperCase() });
    expect(one.json.clients).toEqual([{ clientId: other.clientId, name: 'Test client', targets: [] }]);
    await both.close();
  });

  it('limits a key to its surfaces', async () => {
    const [webOnly] = await seedAssets(running.service.databaseUrl, running.clientId, [
      { title: 'Web only', allowedSurfaces: ['website'] },
    ]);
    const ref = toAssetRef(webOnly!);
    const grant = { role: 'agent', clientIds: [running.clientId], surfaces: ['social', 'gbp'] };
    const social = await McpAgent.connect(url, await keyFor(grant));
    expect((await social.call('list_clients')).json.surfaces).toEqual(['social', 'gbp']);
    expect((await social.call('find_assets', { surface: 'website' })).text).toMatch(/^surface_not_allowed: /);
    expect((await social.call('view_assets', { assetRefs: [ref] })).json.assets).toEqual([
      { ref, code: 'surface_not_allowed', detail: expect.any(String) },
    ]);
    expect((await social.call('get_usages', { assetRef: ref })).text).toMatch(/^surface_not_allowed: /);
    expect((await agent.call('get_usages', { assetRef: ref })).json).toEqual({ ref, usages: [] });
    await social.close();
  });
});

describe('results', () => {
  it('pictures are small JPEGs, also of videos, and a missing asset does not affect the others', async () => {
    const uploader = Uploader.admin(running.owner, running.clientId);
    const refs: string[] = [];
    for (const file of [FILES.jpeg, FILES.heic, FILES.mp4]) refs.push((await uploader.upload(file)).assetRef);
    const missing = toAssetRef(UNKNOWN);
    const { json, pictures } = await agent.call('view_assets', { assetRefs: [...refs, missing] });
    expect(json.assets.map(({ ref }: { ref: string }) => ref)).toEqual([...refs, missing]);
    expect(json.assets[3].code).toBe('asset_not_found');
    expect(pictures).toHaveLength(3);
    for (const { mimeType, bytes } of pictures) {
      expect(mimeType).toBe('image/jpeg');
      expect(bytes.length).toBeLessThan(200_000);
      const { width, height } = jpegSize(bytes);
      expect(Math.max(width, height)).toBeGreaterThan(100);
      expect(Math.max(width, height)).toBeLessThanOrEqual(512);
    }
    const again = await agent.call('view_assets', { assetRefs: refs.slice(0, 1) });
    expect(again.pictures[0]!.bytes.equals(pictures[0]!.bytes)).toBe(true);
  });

  it('of a check contain the verdict, the reasons and the rendition to deliver', async () => {
    const [small, web] = await seedAssets(running.service.databaseUrl, running.clientId, [
      { width: 3000, height: 1000, sizeBytes: 500_000 },
      { allowedSurfaces: ['website'] },
    ]);
    const refs = [small!, web!, UNKNOWN].map(toAssetRef);
    const input = { assetRefs: refs, surface: 'social', channel: 'instagram_feed' };
    const { json } = await agent.call('check_assets', input);
    expect(json.assets).toEqual([
      {
        ref: refs[0],
        allowed: true,
        fit: 'fixable',
        reasons: [expect.any(String), expect.any(String)],
        rendition: 'fit',
      },
      { ref: refs[1], allowed: false, code: 'surface_not_allowed', detail: expect.any(String) },
      { ref: refs[2], allowed: false, code: 'asset_not_found', detail: expect.any(String) },
    ]);
    const reel = await agent.call('check_assets', { ...input, channel: 'instagram_reel' });
    expect(reel.json.assets[0]).toMatchObject({ fit: 'blocked', reasons: ['Instagram reel accepts MP4'] });
    const wrong = await agent.call('check_assets', { ...input, surface: 'gbp' });
    expect(wrong.text).toMatch(/^validation_failed: channel: instagram_feed belongs to the surface social/);
    expect((await agent.call('check_assets', { assetRefs: ['asset_X'], surface: 'gbp' })).text).toMatch(
      /^validation_failed: assetRefs\[0\]/,
    );
  });

  it('of a check include surfaces that no job has checked yet', async () => {
    const { databaseUrl } = running.service;
    const [id] = await seedAssets(databaseUrl, running.clientId, [{ width: 3000, height: 1000 }]);
    await query(databaseUrl, `UPDATE assets SET fitness = '{}' WHERE id = $1`, [id]);
    const refs = [toAssetRef(id!)];
    const { json } = await agent.call('check_assets', { assetRefs: refs, surface: 'social' });
    expect(json.assets).toEqual([
      {
        ref: refs[0],
        allowed: true,
        fit: 'fixable',
        reasons: expect.arrayContaining([expect.any(String)]),
        rendition: 'fit',
      },
    ]);
  });

  it('changes are the same as by REST, in the audit too', async () => {
    const [id] = await seedAssets(running.service.databaseUrl, running.clientId, [{}]);
    const ref = toAssetRef(id!);
    const input = {
      kind: 'seo_post',
      externalId: 'by-mcp',
      featuredAssetRef: ref,
      url: 'https://a.example/1',
    };
    const { json } = await agent.call('set_references', input);
    const { body } = await raw.get(`/agents/clients/${running.clientId}/references/seo_post/by-mcp`);
    expect(body).toMatchObject(json);
    for (const bad of [{ url: 'javascript:alert(1)' }, { externalId: 'a b' }, { title: ' ' }])
      expect((await agent.call('set_references', { ...input, ...bad })).text).toMatch(/^validation_failed: /);
    const { events } = (await running.owner.get(`/admin/clients/${running.clientId}/audit`)).body;
    const event = events.find(({ action }: { action: string }) => action === 'reference.set');
    expect(event).toMatchObject({ subjectId: 'seo_post/by-mcp', requestId: expect.stringMatching(/\S/) });
    for (let time = 0; time < 2; time++)
      expect((await agent.call('set_references', { kind: 'seo_post', externalId: 'by-mcp' })).json).toEqual({
        kind: 'seo_post',
        externalId: 'by-mcp',
        featuredAssetRef: null,
        assetRefs: [],
      });
    expectProblem(
      await raw.get(`/agents/clients/${running.clientId}/references/seo_post/by-mcp`),
      404,
      'reference_not_found',
    );
  });

  it('report deliveries and targets that do not exist', async () => {
    expect((await agent.call('get_deliveries', { deliveryIds: [UNKNOWN, 'x'] })).json.deliveries).toEqual([
      { deliveryId: UNKNOWN, code: 'delivery_not_found' },
      { deliveryId: 'x', code: 'delivery_not_found' },
    ]);
    const [id] = await seedAssets(running.service.databaseUrl, running.clientId, [{}]);
    const input = { assetRefs: [toAssetRef(id!)], surface: 'website', targetId: UNKNOWN };
    expect((await agent.call('deliver_assets', input)).text).toMatch(
      /^target_not_found: .* Call list_clients/,
    );
    expect((await agent.call('deliver_assets', { ...input, targetId: 'x' })).text).toMatch(
      /^validation_failed: /,
    );
    const missing = await agent.call('deliver_assets', { ...input, assetRefs: [toAssetRef(UNKNOWN)] });
    expect(missing.json.deliveries).toMatchObject([{ ref: toAssetRef(UNKNOWN), code: 'asset_not_found' }]);
  });

  it('of an unexpected error contain nothing but the request id', async () => {
    const { clientId } = await newLibrary(running.owner);
    const client = await McpAgent.connect(url, await keyFor({ role: 'agent', clientIds: [clientId] }));
    await query(running.service.databaseUrl, 'ALTER TABLE usages RENAME COLUMN used_at TO secret_column');
    try {
      const { isError, text } = await client.call('find_assets', { surface: 'social' });
      expect(isError).toBe(true);
      const requestId = /^internal_error: .* Request ([0-9a-f-]{36})\./.exec(text)?.[1];
      expect(text).not.toMatch(/used_at|column|SELECT|postgres/i);
      await eventually(() => expect(running.service.output().includes(requestId!)).toBe(true));
    } finally {
      await query(running.service.databaseUrl, 'ALTER TABLE usages RENAME COLUMN secret_column TO used_at');
      await client.close();
    }
  });
});

describe('the endpoint', () => {
  it('keeps no sessions: GET and DELETE are rejected', async () => {
    for (const method of ['GET', 'DELETE']) {
      const response = await raw.request(method, '/agents/mcp', { headers: ACCEPT });
      expectProblem(response, 405, 'method_not_allowed');
      expect(response.headers.get('allow')).toBe('POST');
    }
    const { headers } = await post(call('list_clients', {}));
    expect(headers.get('mcp-session-id')).toBeNull();
    expect(headers.get('x-content-type-options')).toBe('nosniff');
  });

  it('limits bodies and batches', async () => {
    expectProblem(await post('{'), 400, 'malformed_json');
    expectProblem(await post(call('x', { q: 'x'.repeat(1_100_000) })), 413, 'payload_too_large');
    expectProblem(await post('hello', { 'content-type': 'text/plain' }), 415, 'unsupported_body');
    expectProblem(await raw.request('POST', '/agents/mcp', { headers: ACCEPT }), 415, 'unsupported_body');
    const batch = (size: number) => Array.from({ length: size }, (_, id) => call('list_clients', {}, id));
    expectProblem(await post(batch(11)), 400, 'validation_failed');
    expect((await post(batch(10))).status).toBe(200);
  });

  it('keeps no stream open for subscriptions', async () => {
    const response = await post(
      {
        jsonrpc: '2.0',
        id: 1,
        method: 'subscriptions/listen',
        params: {
          notifications: { toolsListChanged: true },
          _meta: {
            'io.modelcontextprotocol/protocolVersion': '2026-07-28',
            'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
            'io.modelcontextprotocol/clientCapabilities': {},
          },
        },
      },
      { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'subscriptions/listen' },
    );
    expect(response.status).toBe(200);
    expect(response.body).toContain('complete');
  });
});

/** The first frame header of a JPEG. */
function jpegSize(bytes: Buffer): { width: number; height: number } {
  for (let at = 2; at < bytes.length;) {
    const marker = bytes.readUInt16BE(at);
    if (marker >= 0xffc0 && marker <= 0xffc2)
      return { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) };
    at += 2 + bytes.readUInt16BE(at + 2);
  }
  throw new Error('This is not a JPEG.');
}
