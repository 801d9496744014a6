import { toAssetRef } from '../../src/common/asset-ref.js';
import { permissionsOf } from '../../src/access/permissions.js';
import type { Role } from '../../src/database/entities/user.entity.js';
import {
  BODIES,
  fillIn,
  keyOf,
  type Route,
  routesOf,
  type Things,
} from '../support/contract/access-requests.js';
import { Agent, type Surface } from '../support/api/agents.js';
import { type LibraryService, sharedLibrary } from '../support/api/library.js';
import { newKey } from '../support/api/people.js';
import { rawRequest } from '../support/api/raw-request.js';
import { seedDelivery, seedTarget } from '../support/database/seed-deliveries.js';
import { seedFiles } from '../support/database/seed-assets.js';
import { query } from '../support/services/service.js';

/** Part of every text that belongs to the website. */
const SECRET = 'website-secret';

/** Roles that can use the agent routes or the admin routes. */
const ROLES = ['owner', 'operator', 'viewer', 'agent'] as const;

/** The surfaces that a request asks for, and a kind of reference of each. */
const ASKED = { website: 'seo_post', social: 'social_post' } as const;
type Asked = keyof typeof ASKED;

/** Arguments with which each tool would show or change what belongs to the website. A new tool needs an entry. */
const TOOLS: Record<string, (things: Things, surface: Asked) => Record<string, unknown>> = {
  list_clients: () => ({}),
  find_assets: (_, surface) => ({ surface }),
  view_assets: ({ assetRef }) => ({ assetRefs: [assetRef] }),
  check_assets: ({ assetRef }, surface) => ({ assetRefs: [assetRef], surface }),
  get_usages: ({ assetRef }) => ({ assetRef }),
  set_references: (_, surface) => ({ kind: ASKED[surface], externalId: 'some-post' }),
  file_as_posted: ({ assetRef }) => ({
    assetRefs: [assetRef],
    network: 'other',
    postUrl: 'https://x.example/1',
  }),
  deliver_assets: ({ assetRef, targetId }, surface) => ({ assetRefs: [assetRef], targetId, surface }),
  get_deliveries: ({ deliveryId }) => ({ deliveryIds: [deliveryId] }),
};

let running: LibraryService;
let routes: Route[];
/** An asset for the website only, and an asset for every surface that the website uses; both with a delivery for the website. */
let everything: Things[];

beforeAll(async () => {
  running = await sharedLibrary();
  routes = await routesOf(running.owner);
  const target = await seedTarget(running.service.databaseUrl, running.clientId);
  everything = [await fill('Website', ['website'], target), await fill('Shared', [], target)];
});

async function fill(name: string, allowedSurfaces: Surface[], targetId: string): Promise<Things> {
  const { clientId, admin, owner, service } = running;
  const { posted } = await admin.protectedFolders();
  const folderId = await admin.folder(name, posted);
  const text = allowedSurfaces.length > 0 ? SECRET : 'Shared';
  const file = { folderId, allowedSurfaces, title: text, altText: text, originalFilename: `${text}.jpg` };
  const [seeded] = await seedFiles(service, clientId, [{ ...file, bytes: Buffer.from(text) }]);
  const { assetId } = seeded!;
  const assetRef = toAssetRef(assetId);
  // Also recorded in the audit log.
  await admin.patch(`/${assetId}`, { description: text });
  const post = { assetRefs: [assetRef], title: SECRET, url: `https://x.example/${SECRET}` };
  const path = `/agents/clients/${clientId}/references/seo_post/${name === 'Shared' ? 'some-post' : 'other-post'}`;
  expect((await owner.put(path, post)).status).toBe(200);
  const delivery = { clientId, assetId, targetId, remoteUrl: `https://x.example/${SECRET}.jpg` };
  await seedDelivery(service.databaseUrl, { ...delivery, status: 'delivered' });
  const deliveryId = await seedDelivery(service.databaseUrl, { ...delivery, status: 'failed' });
  const { keyId } = await newKey(owner, { role: 'viewer', clientIds: [clientId] });
  const { userId } = (await owner.get('/auth/me')).body;
  const { batchId } = (await admin.delete('/folders', { folderId: await admin.folder(`Old ${name}`) })).body;
  const upload = await admin.upload();
  return { clientId, assetId, assetRef, folderId, batchId, keyId, userId, targetId, deliveryId, ...upload };
}

/** Calls every route and tool for everything and returns those whose responses contain the secret. */
async function walk(
  role: Role,
  key: string,
  only: (route: Route) => boolean = () => true,
): Promise<string[]> {
  const { service } = running;
  const agent = new Agent(service.api.as(key), `/agents/clients/${running.clientId}`);
  const headers = { authorization: `Bearer ${key}`, accept: 'application/json, text/event-stream' };
  const shown = new Set<string>();
  const note = (way: string, response: string) => {
    if (response.includes(SECRET)) shown.add(way);
  };
  for (const surface of Object.keys(ASKED) as Asked[])
    for (const things of everything) {
      for (const route of routes.filter(only)) {
        const path = fillIn(route.path.replace('{kind}', ASKED[surface]), things);
        const given = BODIES[keyOf(route)]!(things) as Record<string, unknown> | undefined;
        const body = given && 'surface' in given ? { ...given, surface } : given;
        const { method } = route;
        const asked =
          method === 'GET' && route.rule === 'assets:resolve' ? `${path}?surface=${surface}` : path;
        note(keyOf(route), (await rawRequest(service.url, method, asked, headers, body)).body);
      }
      if (!permissionsOf(role).has('assets:resolve')) continue;
      for (const [name, input] of Object.entries(TOOLS))
        note(
          name,
          JSON.stringify(await agent.mcp('tools/call', { name, arguments: input(things, surface) })),
        );
    }
  return [...shown].sort();
}

/** Everything that belongs to the website. */
async function websiteState(): Promise<unknown> {
  const rows = (sql: string) => query(running.service.databaseUrl, sql, [running.clientId]);
  return {
    assets: await rows(`SELECT * FROM assets WHERE client_id = $1 AND 'website' = ANY(allowed_surfaces)`),
    folders: await rows(
      `SELECT id, batch_id FROM folders WHERE client_id = $1 AND id IN (SELECT folder_id FROM assets) ORDER BY id`,
    ),
    usages: await rows(`SELECT * FROM usages WHERE client_id = $1 AND surface = 'website' ORDER BY id`),
    deliveries: await rows(
      `SELECT * FROM deliveries WHERE client_id = $1 AND surface = 'website' ORDER BY id`,
    ),
    targets: await rows(`SELECT * FROM targets WHERE client_id = $1 ORDER BY id`),
  };
}

describe('A key that is limited to a surface', () => {
  it('is tried with every tool', async () => {
    const { key } = await newKey(running.owner, { role: 'agent' });
    const { tools } = await new Agent(running.service.api.as(key), '').mcp('tools/list');
    expect(tools.map(({ name }: { name: string }) => name).sort()).toEqual(Object.keys(TOOLS).sort());
  });

  it.each(ROLES)('learns and changes nothing of other surfaces by any route or tool (%s)', async (role) => {
    const { clientId, owner } = running;
    const { key } = await newKey(owner, { role, clientIds: [clientId], surfaces: ['social'] });
    const before = await websiteState();
    expect(await walk(role, key)).toEqual([]);
    expect(await websiteState()).toEqual(before);
  });

  /** Otherwise the walk proves nothing. */
  it('would learn of them without the limit', async () => {
    const { key } = await newKey(running.owner, { role: 'owner', clientIds: [running.clientId] });
    const isRead = ({ method, path }: Route) => method === 'GET' || path.endsWith('/resolve');
    expect(await walk('owner', key, isRead)).toEqual([
      'GET /admin/audit',
      'GET /admin/clients/{clientId}/audit',
      'GET /admin/clients/{clientId}/deliveries',
      'GET /admin/clients/{clientId}/deliveries/{deliveryId}',
      'GET /agents/clients/{clientId}/assets/{assetRef}/content',
      'GET /agents/clients/{clientId}/deliveries/{deliveryId}',
      'GET /agents/clients/{clientId}/references/{kind}/{externalId}',
      'GET P/folders/download',
      'GET P/{assetId}',
      'GET P/{assetId}/activity',
      'GET P/{assetId}/download',
      'GET P/{assetId}/preview',
      'GET P/{assetId}/usages',
      'POST /agents/clients/{clientId}/assets/resolve',
      'deliver_assets',
      'find_assets',
      'get_deliveries',
      'get_usages',
      'view_assets',
    ]);
  });
});
