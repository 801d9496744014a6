import { toAssetRef } from '../../src/common/asset-ref.js';
import type { ApiResponse, Api } from '../support/api/api.js';
import { type LibraryService, newLibrary, startLibrary } from '../support/api/library.js';
import { newKey } from '../support/api/people.js';
import { expectProblem, pathsOf } from '../support/api/problems.js';
import { type SeedAsset, seedAssets } from '../support/database/seed-assets.js';
import { query, type Service } from '../support/services/service.js';
import { seedInto, seedMany } from '../support/database/seed-many.js';

/** Large enough for every surface. */
const LARGE = { width: 1600, height: 1200, sizeBytes: 500_000 };
const DAY_MS = 86_400_000;

let running: LibraryService<Service>;
let agent: Api;

describe('Pick', () => {
  beforeAll(async () => {
    running = await startLibrary();
    agent = running.service.api.as((await newKey(running.owner, { role: 'agent' })).key);
  });
  afterAll(() => running?.service.stop());

  /** A new client with these assets, a minute apart, oldest first. */
  async function library(assets: readonly SeedAsset[]) {
    const { clientId, admin } = await newLibrary(running.owner);
    const began = Date.now() - assets.length * 60_000;
    const rows = assets.map((asset, index) => ({
      ...LARGE,
      createdAt: new Date(began + index * 60_000).toISOString(),
      ...asset,
    }));
    const ids = await seedAssets(running.service.databaseUrl, clientId, rows);
    const path = `/agents/clients/${clientId}/assets/pick`;
    const pick = (request: object, api = agent): Promise<ApiResponse> =>
      api.post(path, { surface: 'social', ...request });
    return {
      clientId,
      admin,
      ids,
      pick,
      /** The places, in `assets`, of what is picked. */
      picked: async (request: object) => {
        const { status, body } = await pick(request);
        expect({ status, body }).toMatchObject({ status: 200 });
        return body.candidates.map(({ asset }: { asset: { assetId: string } }) => ids.indexOf(asset.assetId));
      },
      reference: async (at: number, externalId: string, kind = 'social_post', daysAgo = 0) => {
        const base = `/agents/clients/${clientId}/references/${kind}/${externalId}`;
        expect((await agent.put(base, { featuredAssetRef: toAssetRef(ids[at]!) })).status).toBe(200);
        await query(
          running.service.databaseUrl,
          `UPDATE usages SET used_at = now() - make_interval(days => $3) WHERE client_id = $1 AND external_id = $2`,
          [clientId, externalId, daysAgo],
        );
      },
    };
  }

  it('returns the best candidates with score, reasons and the asset', async () => {
    const { pick, ids, admin } = await library([
      { title: 'Storefront at dawn', tags: ['autumn'] },
      { title: 'Latte', altText: 'On the counter of the storefront' },
      { title: 'Portrait' },
    ]);
    const { status, body, headers } = await pick({ text: 'storefront' });
    expect(status).toBe(200);
    expect(headers.get('content-type')).toMatch(/^application\/json/);
    const { createdBy: _notForAgents, ...asset } = (await admin.get(`/${ids[0]}`)).body;
    expect(body.candidates).toEqual([
      {
        assetRef: toAssetRef(ids[0]!),
        score: expect.any(Number),
        reasons: ["matches 'storefront'", 'never used on social', expect.stringMatching(/^(ready|fixable)/)],
        asset,
      },
      expect.objectContaining({ assetRef: toAssetRef(ids[1]!) }),
    ]);
    expect(body.candidates[0].score).toBeGreaterThan(body.candidates[1].score);
  });

  it('ranks by where the words are found, newest first among equals, and the same way every time', async () => {
    const { picked } = await library([
      { originalFilename: 'storefront.jpg' },
      { description: 'Our storefront' },
      { tags: ['storefront'] },
      { title: 'Storefront' },
      { title: 'Storefront' },
      { title: 'Other' },
    ]);
    for (let time = 0; time < 3; time++)
      expect(await picked({ text: 'Storefront' })).toEqual([4, 3, 2, 1, 0]);
    expect(await picked({ text: 'Storefront', count: 2 })).toEqual([4, 3]);
    expect(await picked({ count: 20 })).toEqual([5, 4, 3, 2, 1, 0]);
    expect(await picked({})).toHaveLength(5);
    expect(await picked({ text: '?!' })).toHaveLength(5);
  });

  it('includes assets with some of the words when few have all of them', async () => {
    const { picked, pick } = await library([
      { title: 'Storefront at dawn' },
      { title: 'Storefront' },
      { title: 'Team' },
    ]);
    expect(await picked({ text: 'storefront dawn' })).toEqual([0, 1]);
    const [, second] = (await pick({ text: 'storefront dawn' })).body.candidates;
    expect(second.reasons.slice(0, 2)).toEqual(["matches 'storefront'", "does not match 'dawn'"]);
  });

  it('prefers what has not been used on the surface, then what was used long ago', async () => {
    const { picked, pick, reference } = await library([{}, {}, {}, {}]);
    await reference(3, 'now');
    await reference(2, 'old', 'social_post', 100);
    await reference(1, 'elsewhere', 'seo_post');
    expect(await picked({})).toEqual([1, 0, 2, 3]);
    expect(await picked({ surface: 'website' })).toEqual([3, 2, 0, 1]);
    expect(await picked({ unusedOnly: true })).toEqual([1, 0]);
    expect(await picked({ unusedOnly: false })).toHaveLength(4);
    const since = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString();
    expect(await picked({ notUsedSince: since(50) })).toEqual([1, 0, 2]);
    expect(await picked({ notUsedSince: since(200) })).toEqual([1, 0]);
    const reasons = (await pick({})).body.candidates.map(
      (candidate: { reasons: string[] }) => candidate.reasons[0],
    );
    expect(reasons).toEqual([
      'never used on social',
      'never used on social',
      'last used on social 100 days ago',
      'last used on social within a day',
    ]);
  });

  it('filters by tags, orientation and type', async () => {
    const { picked } = await library([
      { tags: ['a', 'b'] },
      { tags: ['a'], width: 1200, height: 1600 },
      { width: 1600, height: 1590 },
      { mimeType: 'image/png' },
      { mimeType: 'video/mp4' },
    ]);
    expect(await picked({ tags: ['a'] })).toEqual([1, 0]);
    expect(await picked({ tags: ['a', 'b'] })).toEqual([0]);
    expect(await picked({ tags: ['c'] })).toEqual([]);
    expect(await picked({ orientation: 'portrait' })).toEqual([1]);
    expect(await picked({ orientation: 'square' })).toEqual([2]);
    expect((await picked({ orientation: 'landscape' })).sort()).toEqual([0, 3, 4]);
    expect((await picked({ mimeTypes: ['image/png', 'video/mp4'] })).sort()).toEqual([3, 4]);
  });

  it('puts what violates limits of the surface last', async () => {
    const { picked, pick } = await library([{}, { width: 100, height: 100, sizeBytes: 2_000 }]);
    expect(await picked({ surface: 'gbp' })).toEqual([0, 1]);
    const [, blocked] = (await pick({ surface: 'gbp' })).body.candidates;
    expect(blocked.score).toBeLessThan(0);
    expect(blocked.reasons.at(-1)).toMatch(/^blocked/);
  });

  it('never picks what is trashed or not allowed on the surface, nor for a key limited to others', async () => {
    const { admin, clientId, ids, pick, picked } = await library([
      {},
      { allowedSurfaces: ['website'] },
      {},
      {},
    ]);
    const folderId = await admin.folder('Trashed');
    await admin.patch(`/${ids[2]}`, { folderId });
    await admin.delete('/folders', { folderId });
    await admin.delete(`/${ids[3]}`);
    expect(await picked({})).toEqual([0]);
    expect(await picked({ surface: 'website' })).toEqual([1, 0]);
    const grant = { role: 'agent', clientIds: [clientId], surfaces: ['website'] };
    const limited = running.service.api.as((await newKey(running.owner, grant)).key);
    expectProblem(await pick({}, limited), 409, 'surface_not_allowed');
    expect((await pick({ surface: 'website' }, limited)).status).toBe(200);
  });

  it("requires the permission, and is limited to the caller's clients", async () => {
    const { clientId, pick } = await library([]);
    expect((await pick({})).body).toEqual({ candidates: [] });
    const other = await newLibrary(running.owner);
    const foreign = await newKey(running.owner, { role: 'agent', clientIds: [other.clientId] });
    expectProblem(await pick({}, running.service.api.as(foreign.key)), 404, 'client_not_found');
    const viewer = await newKey(running.owner, { role: 'viewer', clientIds: [clientId] });
    expectProblem(await pick({}, running.service.api.as(viewer.key)), 403, 'permission_denied');
    expectProblem(await pick({}, running.service.api), 401, 'unauthenticated');
  });

  it.each([
    [{ surface: 'email' }, 'surface'],
    [{ surface: undefined }, 'surface'],
    [{ text: 5 }, 'text'],
    [{ text: 'x'.repeat(501) }, 'text'],
    [{ tags: 'autumn' }, 'tags'],
    [{ tags: Array.from({ length: 51 }, (_, n) => `t${n}`) }, 'tags'],
    [{ count: 0 }, 'count'],
    [{ count: 21 }, 'count'],
    [{ count: '5' }, 'count'],
    [{ unusedOnly: 'yes' }, 'unusedOnly'],
    [{ notUsedSince: 'yesterday' }, 'notUsedSince'],
    [{ orientation: 'round' }, 'orientation'],
    [{ mimeTypes: [] }, 'mimeTypes'],
    [{ mimeTypes: ['image/gif'] }, 'mimeTypes'],
    [{ limit: 5 }, 'limit'],
  ])('rejects %j', async (request, path) => {
    const response = await agent.post(`/agents/clients/${running.clientId}/assets/pick`, {
      surface: 'social',
      ...request,
    });
    expectProblem(response, 400, 'validation_failed');
    expect(pathsOf(response)).toContain(path);
  });

  it('in a large library finds rare words and tags by the indexes, and common ones among the newest', async () => {
    await seedMany(running.service.databaseUrl, 1, 12_000);
    const path = '/agents/clients/seeded-1/assets/pick';
    const titles = async (request: object) => {
      const { status, body } = await agent.post(path, { surface: 'website', ...request });
      expect({ status, body }).toMatchObject({ status: 200 });
      return body.candidates.map(({ asset }: { asset: { title: string } }) => asset.title);
    };
    // Outside the newest 5,000.
    const both = ['Harvest wide 1977', 'Harvest dawn 11977'];
    expect(await titles({ text: 'harvest 1977', count: 2 })).toEqual(both);
    expect(await titles({ text: '1977', tags: ['tag 17'] })).toEqual(both);
    expect(await titles({ text: 'storefront', count: 3 })).toEqual([
      'Storefront close 12000',
      expect.stringContaining('Storefront'),
      expect.stringContaining('Storefront'),
    ]);
  });

  it('finds what is live next to a large trash', async () => {
    const { admin, clientId, picked } = await library([
      { title: 'Kept' },
      { title: 'Also kept', tags: ['seeded'] },
    ]);
    const folderId = await admin.folder('Large');
    await seedInto(running.service.databaseUrl, clientId, [folderId], 10_001);
    expect((await admin.delete('/folders', { folderId })).status).toBe(200);
    expect(await picked({})).toEqual([1, 0]);
    expect(await picked({ text: 'kept', unusedOnly: true })).toEqual([1, 0]);
    expect(await picked({ tags: ['seeded'] })).toEqual([1]);
  });
});
