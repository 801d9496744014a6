import { attachmentsOf, DeliveringClient, QUICK_DELIVERIES } from '../support/api/deliveries.js';
import { eventually } from '../support/eventually.js';
import { type Era, McpAgent } from '../support/api/mcp.js';
import { OpenApiClient } from '../support/contract/openapi-client.js';
import { newKey } from '../support/api/people.js';
import { type Service, startService } from '../support/services/service.js';
import { FILES, uniqueJpeg } from '../support/api/uploads.js';
import { WordPressMediaLibrary } from '../support/wordpress/wordpress-media.js';

type Json = any;

/** What an agent does in a campaign, with either interface. */
interface Campaign {
  targets(): Promise<string[]>;
  find(text: string): Promise<string[]>;
  look(ref: string): Promise<Buffer>;
  /** Whether it is allowed on the surface, and its fitness. */
  check(ref: string): Promise<{ allowed: boolean; fit: string }>;
  reference(externalId: string, ref: string): Promise<string>;
  deliver(targetId: string, ref: string): Promise<{ deliveryId: string; remoteId: string; url: string }>;
  /** The folder that contains it afterwards. */
  filePosted(ref: string, postUrl: string): Promise<string>;
  close(): Promise<void>;
}

async function byMcp(era: Era, url: string, key: string): Promise<Campaign> {
  const agent = await McpAgent.connect(url, key, era);
  const call = async (name: string, input: Record<string, unknown>): Promise<Json> => {
    const response = await agent.call(name, input);
    expect(response).toMatchObject({ isError: false });
    return { ...response.json, pictures: response.pictures };
  };
  return {
    targets: async () => {
      const { clients } = await call('list_clients', {});
      return clients.flatMap(({ targets }: Json) => targets.map(({ targetId }: Json) => targetId));
    },
    find: async (q) => {
      const { assets } = await call('find_assets', { surface: 'social', q });
      return assets.map(({ ref }: Json) => ref);
    },
    look: async (ref) => (await call('view_assets', { assetRefs: [ref] })).pictures[0].bytes,
    check: async (ref) => {
      const { assets } = await call('check_assets', { assetRefs: [ref], surface: 'social' });
      return { allowed: assets[0].allowed, fit: assets[0].fit };
    },
    reference: async (externalId, ref) => {
      const reference = { kind: 'social_post', externalId, featuredAssetRef: ref, title: 'Autumn' };
      return (await call('set_references', reference)).featuredAssetRef;
    },
    deliver: async (targetId, ref) => {
      const request = { targetId, assetRefs: [ref], surface: 'website', waitSeconds: 25 };
      const { deliveries } = await call('deliver_assets', request);
      const { deliveryId } = deliveries[0];
      const again = await call('get_deliveries', { deliveryIds: [deliveryId], waitSeconds: 25 });
      expect(again.deliveries).toEqual([expect.objectContaining({ ref, state: 'delivered' })]);
      return again.deliveries[0];
    },
    filePosted: async (ref, postUrl) => {
      const { assets } = await call('file_as_posted', { assetRefs: [ref], network: 'instagram', postUrl });
      const { usages } = await call('get_usages', { assetRef: ref });
      expect(usages.map(({ role }: Json) => role)).toEqual(['posted', 'delivered']);
      return assets[0].folder;
    },
    close: () => agent.close(),
  };
}

async function byRest(client: DeliveringClient, service: Service, key: string): Promise<Campaign> {
  const api = await OpenApiClient.read(service.api.as(key));
  const path = { clientId: client.clientId };
  return {
    targets: async () => {
      const { targets } = await api.call('listTargets', { path });
      return targets.map(({ targetId }: Json) => targetId);
    },
    find: async (text) => {
      const { candidates } = await api.call('pickAssets', { path, body: { surface: 'social', text } });
      return candidates.map(({ assetRef }: Json) => assetRef);
    },
    look: (assetRef) =>
      api.call('getAssetContent', {
        path: { ...path, assetRef },
        query: { surface: 'social', rendition: 'small' },
      }),
    check: async (assetRef) => {
      const body = { assetRefs: [assetRef], surface: 'social' };
      const [result] = (await api.call('resolveAssets', { path, body })).results;
      return { allowed: result.ok, fit: result.asset.fitness.social.verdict };
    },
    reference: async (externalId, assetRef) => {
      const key = { path: { ...path, kind: 'social_post', externalId } };
      await api.call('putReference', { ...key, body: { featuredAssetRef: assetRef, title: 'Autumn' } });
      return (await api.call('getReference', key)).featuredAssetRef;
    },
    deliver: async (targetId, assetRef) => {
      const body = { assetRef, targetId, surface: 'website' };
      const { deliveryId } = await api.call('createAgentDelivery', { path, body });
      const delivery = await eventually(async () => {
        const current = await api.call('getAgentDelivery', { path: { ...path, deliveryId } });
        expect(current.status).toBe('delivered');
        return current;
      });
      return { ...delivery, url: delivery.remoteUrl };
    },
    filePosted: async (assetRef, postUrl) => {
      const body = { assetRef, platform: 'instagram', postUrl };
      return (await api.call('recordSocialPost', { path, body })).folder.path;
    },
    close: () => Promise.resolve(),
  };
}

let service: Service;
let media: WordPressMediaLibrary;
beforeAll(async () => {
  service = await startService(QUICK_DELIVERIES);
  media = await WordPressMediaLibrary.start();
});
afterAll(async () => {
  await service?.stop();
  await media?.site.stop();
});

describe.each([
  [
    'MCP in the current protocol',
    (_client: DeliveringClient, key: string) => byMcp('current', service.url, key),
  ],
  [
    'MCP in the previous protocol',
    (_client: DeliveringClient, key: string) => byMcp('previous', service.url, key),
  ],
  [
    'REST as openapi.json describes it',
    (client: DeliveringClient, key: string) => byRest(client, service, key),
  ],
])('A campaign by %s', (_name, connect) => {
  it('finds, views, checks, references, delivers and records as posted', async () => {
    const client = await DeliveringClient.create(service);
    const { key } = await newKey(client.owner, { role: 'agent', clientIds: [client.clientId] });
    const storefront = await client.newAsset(uniqueJpeg(), {
      title: 'Storefront in autumn',
      tags: ['autumn'],
    });
    await client.newAsset(FILES.webp, { title: 'Latte', description: 'In front of the storefront' });
    await client.newAsset(FILES.png, { title: 'Storefront sign', allowedSurfaces: ['website'] });
    const targetId = await client.newTarget(media.site.target({ name: 'Blog' }));

    const campaign = await connect(client, key);
    expect(await campaign.targets()).toEqual([targetId]);
    const [ref, ...others] = await campaign.find('storefront');
    expect(ref).toBe(storefront.assetRef);
    expect(others).toHaveLength(1);
    expect((await campaign.look(ref!)).length).toBeGreaterThan(1_000);
    expect(await campaign.check(ref!)).toEqual({
      allowed: true,
      fit: expect.stringMatching(/^(ready|fixable)$/),
    });
    expect(await campaign.reference('post-1', ref!)).toBe(ref);
    const delivery = await campaign.deliver(targetId, ref!);
    const attachments = attachmentsOf(media, delivery.deliveryId);
    expect(attachments.map(({ id, fields }) => [String(id), fields['title']])).toEqual([
      [delivery.remoteId, 'Storefront in autumn'],
    ]);
    expect(delivery.url).toContain('/wp-content/uploads/');
    expect(await campaign.filePosted(ref!, 'https://www.instagram.com/p/1/')).toBe('Social/Posted');
    await campaign.close();
  });
});
