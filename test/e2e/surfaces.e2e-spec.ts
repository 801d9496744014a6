import { randomUUID } from 'node:crypto';
import type { ApiResponse } from '../support/api/api.js';
import { type Agent, KIND_OF, newAgent, refsOf, type Surface, SURFACES } from '../support/api/agents.js';
import { type Json, type LibraryService, newLibrary, sharedLibrary } from '../support/api/library.js';
import { seedAssets } from '../support/database/seed-assets.js';
import { seedDelivery, seedTarget } from '../support/database/seed-deliveries.js';

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

/** Every route by which an asset reaches a surface. Add a row for each new one; `surface-walk` finds those without a limit. */
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

/** What was recorded for a surface: a delivery of an asset that is allowed everywhere, and a post that uses it. */
interface Recorded {
  readonly assetRef: string;
  readonly deliveryId: string;
  readonly title: string;
}

interface RecordWay {
  readonly name: string;
  /** What the caller gets instead of a record for a surface that its key may not use. */
  readonly hidden: 'delivery_not_found' | 'left out';
  readonly take: (agent: Agent, recorded: Recorded) => Promise<Outcome>;
}

const includes = (response: ApiResponse, deliveryId: string): Outcome => {
  expect(response.status).toBe(200);
  const { deliveries } = response.body;
  return deliveries.some((each: Json) => each.deliveryId === deliveryId) ? 'ok' : 'left out';
};

/** Every route to what was recorded for a surface. Add a row for each new one. */
const RECORD_WAYS: readonly RecordWay[] = [
  ...['agents', 'admin'].map((side): RecordWay => ({
    name: `delivery by id, /${side}`,
    hidden: 'delivery_not_found',
    take: async ({ api }, { deliveryId }) =>
      outcomeOf(await api.get(`/${side}/clients/${running.clientId}/deliveries/${deliveryId}`)),
  })),
  ...['', '&status=failed', '&assetRef=:assetRef', '&targetId=:targetId'].map((filter): RecordWay => ({
    name: `list of deliveries${filter}`,
    hidden: 'left out',
    take: async ({ api }, { assetRef, deliveryId }) => {
      const query = filter.replace(':assetRef', assetRef).replace(':targetId', targetId);
      return includes(await api.get(`${deliveries()}?limit=200${query}`), deliveryId);
    },
  })),
  ...['retry', 'cancel'].map((action): RecordWay => ({
    name: `${action} of a delivery`,
    hidden: 'delivery_not_found',
    take: async ({ api }, { deliveryId }) => {
      if (action === 'cancel') await running.owner.post(`${deliveries()}/${deliveryId}/retry`);
      const before = await statusOf(deliveryId);
      const outcome = outcomeOf(await api.post(`${deliveries()}/${deliveryId}/${action}`));
      expect((await statusOf(deliveryId)) === before).toBe(outcome !== 'ok');
      return outcome;
    },
  })),
  {
    name: 'MCP, get_deliveries',
    hidden: 'delivery_not_found',
    take: async (agent, { deliveryId }) => {
      const { code, json } = await agent.tool('get_deliveries', { deliveryIds: [deliveryId] });
      return code ?? json.deliveries[0].code ?? 'ok';
    },
  },
  {
    name: 'MCP, get_usages',
    hidden: 'left out',
    take: async (agent, { assetRef, title }) => {
      const { code, json } = await agent.tool('get_usages', { assetRef });
      return code ?? (json.usages.some((usage: Json) => usage.title === title) ? 'ok' : 'left out');
    },
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
  // Nothing is sent: there is no worker.
  targetId = await seedTarget(databaseUrl, running.clientId);
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

describe.each(RECORD_WAYS)('through $name', ({ hidden, take }) => {
  it('what was recorded for a surface is only there for keys that may use the surface', async () => {
    for (const [index, keySurfaces] of KEYS.entries())
      for (const surface of SURFACES) {
        const outcome = await take(agents[index]!, await record(surface));
        const mayKnow = keySurfaces === undefined || keySurfaces.includes(surface);
        expect({ keySurfaces, surface, outcome }).toEqual({
          keySurfaces,
          surface,
          outcome: mayKnow ? 'ok' : hidden,
        });
      }
  });
});

const deliveries = () => `/admin/clients/${running.clientId}/deliveries`;

async function statusOf(deliveryId: string): Promise<string> {
  return (await running.owner.get(`${deliveries()}/${deliveryId}`)).body.status;
}

async function record(surface: Surface): Promise<Recorded> {
  const { service, clientId } = running;
  const [assetId] = await seedAssets(service.databaseUrl, clientId, [{}]);
  const [assetRef] = refsOf([assetId!]) as [string];
  const title = `Post ${randomUUID()}`;
  const post = `${KIND_OF[surface]}/${randomUUID()}`;
  expect((await agents[0]!.reference('PUT', post, { assetRefs: [assetRef], title })).status).toBe(200);
  const deliveryId = await seedDelivery(service.databaseUrl, {
    clientId,
    assetId: assetId!,
    targetId,
    surface,
  });
  return { assetRef, deliveryId, title };
}
