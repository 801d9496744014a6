import { toAssetRef } from '../../src/common/asset-ref.js';
import { effectivePermissions, type Grant, type Permission } from '../../src/access/permissions.js';
import { type Role, ROLES } from '../../src/database/entities/user.entity.js';
import {
  BODIES,
  fillIn,
  keyOf,
  type Route,
  routesOf,
  type Things,
} from '../support/contract/access-requests.js';
import { type Library, type LibraryService, newLibrary, sharedLibrary } from '../support/api/library.js';
import { newKey, newPerson, newPicker } from '../support/api/people.js';
import { inParallel, rawRequest } from '../support/api/raw-request.js';
import { seedFiles } from '../support/database/seed-assets.js';
import { seedDelivery, seedTarget } from '../support/database/seed-deliveries.js';
import { stateOf } from '../support/database/state-of.js';

interface Caller {
  name: string;
  headers: Record<string, string>;
  /** Null: anonymous, or no longer active. */
  grant: Grant | null;
}

const UNKNOWN = '0198a3c4-7b1e-7cc0-8f5e-2f5d1c9a7b10';
const WIDTH = 8;

let running: LibraryService;
let routes: Route[];
let callers: Caller[];
let ours: Things;
let theirs: Things;

describe('The access matrix', () => {
  beforeAll(async () => {
    running = await sharedLibrary();
    const { owner } = running;
    const other = await newLibrary(owner);
    routes = await routesOf(owner);
    ours = await fill(running.clientId, running.admin);
    theirs = await fill(other.clientId, other.admin);

    const { clientId } = running;
    const key = async (name: string, role: Role, clientIds: string[] | null): Promise<Caller> => ({
      name,
      headers: { authorization: `Bearer ${(await newKey(owner, { role, clientIds })).key}` },
      grant: { role, clientIds },
    });
    const picker = async (uploads: boolean): Promise<Caller> => ({
      name: uploads ? 'picker with uploads' : 'picker',
      headers: { authorization: `Bearer ${await newPicker(owner, { clientId, uploads })}` },
      grant: { role: 'owner', clientIds: [clientId], picker: { uploads } },
    });
    const inactive = await newPerson(owner, { role: 'owner', clientIds: null });
    const login = await owner.post('/auth/login', { email: inactive.email, password: inactive.password });
    await owner.patch(`/admin/users/${inactive.userId}`, { isActive: false });
    const revoked = await newKey(owner, { role: 'owner', clientIds: null });
    await owner.delete(`/admin/api-keys/${revoked.keyId}`);
    callers = [
      { name: 'nobody', headers: {}, grant: null },
      { name: 'rubbish', headers: { authorization: 'Bearer rubbish' }, grant: null },
      { name: 'deactivated', headers: { authorization: `Bearer ${login.body.accessToken}` }, grant: null },
      { name: 'revoked key', headers: { 'x-api-key': revoked.key }, grant: null },
      ...(await Promise.all(ROLES.map((role) => key(role, role, [clientId])))),
      await picker(false),
      await picker(true),
      await key('operator of all', 'operator', null),
      await key('operator of another client', 'operator', [other.clientId]),
      await key('viewer of none', 'viewer', []),
      await key('manager of another client', 'client_manager', [other.clientId]),
    ];
  });

  async function fill(clientId: string, library: Library): Promise<Things> {
    const folderId = await library.folder('Folder');
    const trashed = await library.folder('Trashed');
    const [file] = await seedFiles(running.service, clientId, [{ folderId, bytes: Buffer.from('bytes') }]);
    const { batchId } = (await library.delete('/folders', { folderId: trashed })).body;
    const { keyId } = await newKey(running.owner, { role: 'viewer', clientIds: [clientId] });
    const { userId } = await newPerson(running.owner, { role: 'viewer', clientIds: [clientId] });
    const { databaseUrl } = running.service;
    const { assetId } = file!;
    const targetId = await seedTarget(databaseUrl, clientId);
    return {
      clientId,
      folderId,
      batchId,
      keyId,
      userId,
      targetId,
      deliveryId: await seedDelivery(databaseUrl, { clientId, assetId, targetId }),
      assetId,
      assetRef: toAssetRef(assetId),
      ...(await library.upload()),
    };
  }

  /** The status that the permission table gives; null: the request gets through to the service. */
  function refusalOf(route: Route, { grant }: Caller): [status: number, code: string] | null {
    if (route.rule === 'public') return null;
    if (grant === null) return [401, 'unauthenticated'];
    if (grant.picker && !route.inPicker) return [403, 'permission_denied'];
    const held = effectivePermissions(grant);
    const side = route.path.startsWith('/portal') ? 'portal:access' : 'platform:access';
    if (!route.path.startsWith('/auth') && !held.has(side)) return [403, 'permission_denied'];
    if (route.rule !== 'authenticated' && !held.has(route.rule as Permission))
      return [403, 'permission_denied'];
    const isTheirs = grant.clientIds === null || grant.clientIds.includes(ours.clientId);
    if (route.path.includes('{clientId}') && !isTheirs) return [404, 'client_not_found'];
    return null;
  }

  it('knows every route there is, and no other', () => {
    expect([...new Set(routes.map(keyOf))].sort()).toEqual(Object.keys(BODIES).sort());
    expect(routes.filter(({ rule }) => typeof rule !== 'string')).toEqual([]);
  });

  it('responds to each caller on each route according to the permission table; what is rejected changes nothing', async () => {
    const before = await stateOf(running.service);
    const cases = routes.flatMap((route) => callers.map((caller) => ({ route, caller })));
    const wrong: string[] = [];
    await inParallel(cases, WIDTH, async ({ route, caller }) => {
      const refusal = refusalOf(route, caller);
      // Callers that are let through get a request without effect.
      const [things, body] = refusal
        ? [ours, BODIES[keyOf(route)]!(ours)]
        : [
            {
              ...ours,
              assetId: UNKNOWN,
              assetRef: toAssetRef(UNKNOWN),
              sessionId: UNKNOWN,
              keyId: UNKNOWN,
              userId: UNKNOWN,
              targetId: UNKNOWN,
              deliveryId: UNKNOWN,
            },
            route.method === 'GET' ? undefined : { nonsense: true },
          ];
      const path = fillIn(route.path, things);
      const response = await rawRequest(running.service.url, route.method, path, caller.headers, body);
      const isRight = refusal
        ? response.status === refusal[0] && response.code === refusal[1]
        : response.status < 500 &&
          ![401, 403].includes(route.rule === 'public' ? 0 : response.status) &&
          response.code !== 'client_not_found';
      if (!isRight)
        wrong.push(
          `${caller.name}: ${route.method} ${route.path} → ${response.status} ${response.code}, not ${String(refusal)}`,
        );
    });
    expect(wrong).toEqual([]);
    expect(await stateOf(running.service)).toEqual(before);
  });

  const MUTATIONS: [string, (path: string) => string][] = [
    ['a slash at the end', (path) => `${path}/`],
    ['two slashes in front', (path) => `/${path}`],
    ['two slashes inside', (path) => path.replace(/(.)\//, '$1//')],
    [
      'an encoded letter',
      (path) => path.replace(/^\/(.)/, (_, c: string) => `/%${c.charCodeAt(0).toString(16)}`),
    ],
    ['an encoded letter at the end', (path) => path.replace(/.$/, (c) => `%${c.charCodeAt(0).toString(16)}`)],
    ['an encoded slash', (path) => path.replace(/(.)\//, '$1%2F')],
    ['capitals', (path) => path.replace(/^\/\w+/, (first) => first.toUpperCase())],
    ['a dot segment', (path) => `/auth/..${path}`],
    ['an encoded dot segment', (path) => `/auth/%2e%2e${path}`],
    ['a semicolon', (path) => `${path};x=1`],
    ['a query', (path) => `${path}?x=1`],
  ];

  it('admits nobody through another spelling of the path, or through HEAD; nothing is changed', async () => {
    const before = await stateOf(running.service);
    const refused = routes.flatMap((route) =>
      callers.filter((caller) => refusalOf(route, caller) !== null).map((caller) => ({ route, caller })),
    );
    const spellings = refused.flatMap((each) => [
      ...MUTATIONS.map(([what, mutate]) => ({ ...each, what, mutate, method: each.route.method })),
      ...(each.route.method === 'GET'
        ? [{ ...each, what: 'HEAD', mutate: (path: string) => path, method: 'HEAD' }]
        : []),
    ]);
    // All of them in a long test run; otherwise every fifth, a different one for each caller and route.
    const step = process.env['ACCESS_MATRIX'] === 'full' ? 1 : 5;
    const wrong: string[] = [];
    await inParallel(
      spellings.filter((_, index) => index % step === 0),
      WIDTH,
      async ({ route, caller, what, mutate, method }) => {
        const path = mutate(fillIn(route.path, ours));
        const response = await rawRequest(
          running.service.url,
          method,
          path,
          caller.headers,
          BODIES[keyOf(route)]!(ours),
        );
        const isRight =
          method === 'HEAD'
            ? response.status === refusalOf(route, caller)![0]
            : [400, 401, 403, 404].includes(response.status);
        if (!isRight)
          wrong.push(`${caller.name}: ${route.method} ${route.path} with ${what} → ${response.status}`);
      },
    );
    expect(wrong).toEqual([]);
    expect(await stateOf(running.service)).toEqual(before);
  });

  it("responds to another client's records exactly as to records that do not exist", async () => {
    const before = await stateOf(running.service);
    const nothing: Things = {
      ...ours,
      assetId: UNKNOWN,
      assetRef: toAssetRef(UNKNOWN),
      folderId: UNKNOWN,
      sessionId: UNKNOWN,
      batchId: UNKNOWN,
      uploadToken: 'x'.repeat(43),
    };
    const foreign = { ...theirs, clientId: ours.clientId };
    const requests: [string, string, (things: Things) => unknown][] = [
      ...Object.entries(BODIES)
        .filter(([key]) =>
          /\{(asset|session)Id\}|(PATCH|DELETE) P\/folders|P\/trash\/restore|DELETE P\/trash|finalize|bulk|POST P\/archive/.test(
            key,
          ),
        )
        .map(([key, body]): [string, string, (things: Things) => unknown] => [
          ...(key.split(' ') as [string, string]),
          body,
        ]),
      ['GET', 'P?folderId={folderId}', () => undefined],
      ['GET', 'P?q=x&folderId={folderId}', () => undefined],
      ['GET', 'P/folders/download?folderId={folderId}', () => undefined],
      ['POST', 'P/folders', ({ folderId }) => ({ name: 'X', parentId: folderId })],
      ['PATCH', 'P/folders', ({ folderId }) => ({ folderId: ours.folderId, parentId: folderId })],
      ['DELETE', 'P/folders?folderId={folderId}', () => undefined],
      ['DELETE', 'P/trash?batchId={batchId}', () => undefined],
      ['PATCH', 'P/{assetId}', ({ folderId }) => ({ folderId })],
      ['POST', 'P/bulk', ({ folderId }) => ({ assetIds: [ours.assetId], action: 'move', folderId })],
      [
        'POST',
        'P/upload-session',
        ({ folderId }) => ({
          originalFilename: 'a.png',
          mimeType: 'image/png',
          expectedSizeBytes: 10,
          folderId,
        }),
      ],
      ['POST', 'P/upload-session/finalize', ({ folderId }) => ({ uploadToken: ours.uploadToken, folderId })],
    ];
    const asked = requests.flatMap((request) => [
      { request, side: `/admin/clients/${ours.clientId}/assets`, name: 'owner' },
      { request, side: `/admin/clients/${ours.clientId}/assets`, name: 'operator of all' },
      { request, side: '/portal/assets', name: 'client_manager' },
    ]);
    const wrong: string[] = [];
    await inParallel(asked, WIDTH, async ({ request: [method, path, body], side, name }) => {
      const { headers } = callers.find((caller) => caller.name === name)!;
      const ask = async (things: Things) => {
        const at = fillIn(path.replace(/^P/, side), things);
        const response = await rawRequest(running.service.url, method, at, headers, body(things));
        const text = Object.values(things).reduce((shown, id) => shown.replaceAll(id, 'ID'), response.body);
        return `${response.status} ${text.replace(/"requestId":"[^"]+"/, '')}`;
      };
      const [missing, hidden] = [await ask(nothing), await ask(foreign)];
      if (missing !== hidden || !/^4/.test(hidden))
        wrong.push(`${name}: ${method} ${path}\n  unknown: ${missing}\n  foreign: ${hidden}`);
    });
    expect(wrong).toEqual([]);
    expect(await stateOf(running.service)).toEqual(before);
  });

  it('lets no cache keep a response, except for files and streams', async () => {
    const { clientId, admin } = await newLibrary(running.owner);
    const things = await fill(clientId, admin);
    const owner = (await newPerson(running.owner, { role: 'owner' })).api;
    const manager = (await newPerson(running.owner, { role: 'client_manager', clientIds: [clientId] })).api;
    const others: Record<string, string | null> = {};
    const statuses = new Set<number>();
    // What is used must not have been deleted before, and the owner must still be signed in.
    const rankOf = ({ method, path }: Route) => {
      if (path === '/auth/logout') return 4;
      if (method === 'DELETE') return 3;
      return method === 'GET' ? 0 : path.endsWith('/deliveries') ? 1 : 2;
    };
    const usesFirst = [...routes].sort((one, other) => rankOf(one) - rankOf(other));
    for (const route of usesFirst) {
      const caller = route.path.startsWith('/portal') ? manager : owner;
      const body = BODIES[keyOf(route)]!(things);
      const path = fillIn(route.path, things).replace(/\/content$/, '$&?surface=website');
      const headers = { accept: 'application/json, text/event-stream, */*' };
      const response = await caller.fetch(route.method, path, { body, headers });
      statuses.add(response.status);
      await response.body?.cancel();
      const cacheControl = response.headers.get('cache-control');
      if (cacheControl !== 'private, no-store') others[`${route.method} ${route.path}`] = cacheControl;
    }
    expect(others).toEqual({
      'GET /admin/clients/{clientId}/assets/{assetId}/download': 'private, no-cache',
      'GET /admin/clients/{clientId}/assets/{assetId}/preview': 'private, no-cache',
      'GET /admin/clients/{clientId}/events': 'no-store, no-transform',
      'GET /agents/clients/{clientId}/assets/{assetRef}/content': 'private, no-cache',
      'GET /portal/assets/{assetId}/download': 'private, no-cache',
      'GET /portal/assets/{assetId}/preview': 'private, no-cache',
      'GET /portal/events': 'no-store, no-transform',
      'POST /agents/mcp': 'no-cache, no-transform',
    });
    expect([...statuses]).toEqual(expect.arrayContaining([200, 201, 202, 204, 400, 404, 409]));
    for (const path of ['/', '/docs', '/openapi.json'])
      expect((await owner.get(path)).headers.get('cache-control') ?? '').not.toContain('no-store');
  });
});
