import { v7 } from 'uuid';
import { type Agent, newAgent, seedRefs } from '../support/api/agents.js';
import {
  type Json,
  type Library,
  type LibraryService,
  newLibrary,
  sharedLibrary,
} from '../support/api/library.js';
import { newKey, newPerson } from '../support/api/people.js';
import { expectProblem, pathsOf } from '../support/api/problems.js';
import { type SeedAsset, seedAssets } from '../support/database/seed-assets.js';
import { stateOf } from '../support/database/state-of.js';

let running: LibraryService;
let library: Library;
let agent: Agent;
let social: string;
let posted: string;
beforeAll(async () => (running = await sharedLibrary()));
beforeEach(async () => {
  running = { ...running, ...(await newLibrary(running.owner)) };
  library = running.admin;
  agent = await newAgent(running);
  ({ social, posted } = await library.protectedFolders());
});

const newRef = async (asset?: SeedAsset): Promise<string> => (await seedRefs(running, 1, asset))[0]!;
const audit = async (): Promise<Json[]> =>
  (await running.owner.get(`/admin/clients/${running.clientId}/audit`)).body.events;
const POST = { platform: 'instagram', postUrl: 'https://www.instagram.com/p/DBq1x2yN0aB/' };

describe('recording an asset as posted', () => {
  it('records the post, moves the asset to Social/Posted, and audits both', async () => {
    const folderId = await library.folder('Campaign');
    const assetRef = await newRef({ folderId, allowedSurfaces: ['social'] });
    const response = await agent.posted({ assetRef, ...POST, postedAt: '2026-11-01T10:00:00Z' });
    expect(response).toMatchObject({
      status: 200,
      body: {
        asset: { assetRef, folderId: posted, version: 2 },
        folder: { folderId: posted, path: 'Social/Posted', protected: true },
        usage: {
          kind: 'social_post',
          surface: 'social',
          role: 'posted',
          url: POST.postUrl,
          platform: 'instagram',
          postedAt: '2026-11-01T10:00:00.000Z',
          createdBy: 'Test key',
        },
      },
    });
    expect((await library.get(`/${assetRef}/usages`)).body.usages).toEqual([response.body.usage]);
    expect((await audit()).slice(0, 2)).toMatchObject([
      { action: 'asset.update', before: { folderId }, after: { folderId: posted } },
      { action: 'asset.posted', after: { platform: 'instagram', postUrl: POST.postUrl } },
    ]);
  });

  it('again, or many times concurrently, changes nothing; another post is another usage', async () => {
    const assetRef = await newRef();
    const responses = await Promise.all(Array.from({ length: 6 }, () => agent.posted({ assetRef, ...POST })));
    expect(new Set(responses.map(({ body }) => body.usage.usageId)).size).toBe(1);
    const before = await stateOf(running.service);
    expect(await agent.posted({ assetRef, ...POST, postedAt: '2020-01-01' })).toMatchObject({
      status: 200,
      body: responses[0]!.body,
    });
    expect(await stateOf(running.service)).toEqual(before);
    await agent.posted({ assetRef, ...POST, postUrl: `${POST.postUrl}2` });
    expect((await library.get(`/${assetRef}/usages`)).body.usages).toHaveLength(2);
  });

  it('leaves an asset below Social/Posted where the agent moved it', async () => {
    const { folderId } = (await agent.folders('POST', { name: '2026', parentId: posted })).body;
    const assetRef = await newRef({ folderId });
    const { body } = await agent.posted({ assetRef, ...POST });
    expect(body).toMatchObject({ asset: { folderId, version: 1 }, folder: { path: 'Social/Posted/2026' } });
  });

  it('rejects bad input, and changes nothing', async () => {
    const assetRef = await newRef();
    const before = await stateOf(running.service);
    for (const [what, wrong, path] of [
      ['an unknown platform', { platform: 'myspace' }, 'platform'],
      ['no platform', { platform: undefined }, 'platform'],
      ['an address without http', { postUrl: 'instagram.com/p/1' }, 'postUrl'],
      ['a script', { postUrl: 'javascript:alert(1)' }, 'postUrl'],
      ['credentials', { postUrl: 'https://a:b@x.example/' }, 'postUrl'],
      ['bidirectional controls', { postUrl: 'https://x.example/\u202egpj.7' }, 'postUrl'],
      [
        'an address that is too long once it is encoded',
        { postUrl: `https://x.example/${'日'.repeat(1_900)}` },
        'postUrl',
      ],
      ['no address', { postUrl: undefined }, 'postUrl'],
      ['the future', { postedAt: '2999-01-01T00:00:00Z' }, 'postedAt'],
      ['no time', { postedAt: 'yesterday' }, 'postedAt'],
      ['an id', { assetRef: v7() }, 'assetRef'],
      ['no ref', { assetRef: undefined }, 'assetRef'],
      ['null as ref', { assetRef: null }, 'assetRef'],
    ] as [string, object, string][]) {
      const response = await agent.posted({ assetRef, ...POST, ...wrong });
      expect([what, response.status, response.body.code]).toEqual([what, 400, 'validation_failed']);
      expect([what, [...new Set(pathsOf(response))]]).toEqual([what, [path]]);
    }
    expect(await stateOf(running.service)).toEqual(before);
  });
});

describe('folders below Social', () => {
  it('are created, renamed, moved and deleted by the agent', async () => {
    const autumn = (await agent.folders('POST', { name: 'Autumn' })).body;
    expect(autumn).toMatchObject({ parentId: social, path: 'Social/Autumn', protected: false });
    const reels = await agent.folders('POST', { name: 'Reels', parentId: autumn.folderId });
    expect(reels).toMatchObject({ status: 201, body: { path: 'Social/Autumn/Reels' } });
    const renamed = await agent.folders('PATCH', { folderId: autumn.folderId, name: 'Winter' });
    expect(renamed).toMatchObject({ status: 200, body: { path: 'Social/Winter' } });
    const moved = await agent.folders('PATCH', { folderId: reels.body.folderId, parentId: posted });
    expect(moved).toMatchObject({ status: 200, body: { path: 'Social/Posted/Reels' } });
    await library.folder('Elsewhere');
    await seedAssets(running.service.databaseUrl, running.clientId, [{ folderId: posted }]);
    const { folders } = (await agent.folders('GET')).body;
    expect(folders.map(({ path, assets }: Json) => [path, assets])).toEqual([
      ['Social', 0],
      ['Social/Posted', 1],
      ['Social/Winter', 0],
      ['Social/Posted/Reels', 0],
    ]);
    const deleted = await agent.folders('DELETE', { folderId: autumn.folderId });
    expect(deleted).toMatchObject({ status: 200, body: { folderId: autumn.folderId, trashedFolders: 1 } });
    expect((await agent.folders('POST', { name: 'Posted' })).status).toBe(200);
    expect((await audit())[0]).toMatchObject({ action: 'folder.trash', actor: { kind: 'api_key' } });
  });

  it('include neither Social nor Social/Posted themselves', async () => {
    const before = await stateOf(running.service);
    for (const folderId of [social, posted]) {
      expectProblem(await agent.folders('PATCH', { folderId, name: 'X' }), 403, 'folder_protected');
      expectProblem(await agent.folders('PATCH', { folderId, parentId: social }), 403, 'folder_protected');
      expectProblem(await agent.folders('DELETE', { folderId }), 403, 'folder_protected');
    }
    expect(await stateOf(running.service)).toEqual(before);
  });

  it('are all that the agent sees: other folders do not exist, and nothing can be moved out of Social', async () => {
    const outside = await library.folder('Outside');
    const below = await library.folder('Below', outside);
    const other = await newLibrary(running.owner);
    const theirs = (await other.admin.protectedFolders()).posted;
    const inside = (await agent.folders('POST', { name: 'Inside' })).body.folderId;
    const before = await stateOf(running.service);
    for (const folderId of [outside, below, theirs, v7()]) {
      expectProblem(await agent.folders('POST', { name: 'X', parentId: folderId }), 404, 'folder_not_found');
      expectProblem(await agent.folders('PATCH', { folderId, name: 'X' }), 404, 'folder_not_found');
      expectProblem(await agent.folders('PATCH', { folderId, parentId: social }), 404, 'folder_not_found');
      expectProblem(await agent.folders('DELETE', { folderId }), 404, 'folder_not_found');
      expectProblem(
        await agent.folders('PATCH', { folderId: inside, parentId: folderId }),
        404,
        'folder_not_found',
      );
    }
    const toTop = await agent.folders('PATCH', { folderId: inside, parentId: null });
    expectProblem(toTop, 400, 'validation_failed');
    expect(pathsOf(toTop)).toEqual(['parentId']);
    expectProblem(await agent.folders('PATCH', { folderId: inside, parentId: inside }), 409, 'folder_cycle');
    expectProblem(await agent.folders('DELETE'), 400, 'validation_failed');
    expectProblem(await agent.folders('POST', { name: '' }), 400, 'validation_failed');
    expectProblem(await agent.folders('POST', { name: 'inside' }), 409, 'folder_name_taken');
    expect(await stateOf(running.service)).toEqual(before);
  });

  it('keep what a reference uses, unless the caller may force it', async () => {
    const { folderId } = (await agent.folders('POST', { name: 'Used' })).body;
    const ref = await newRef({ folderId });
    await agent.reference('PUT', 'social_post/1', { assetRefs: [ref] });
    expectProblem(await agent.folders('DELETE', { folderId }), 409, 'asset_in_use');
    expectProblem(await agent.folders('DELETE', { folderId, force: true }), 403, 'permission_denied');
    const owned = `${agent.path}/social/folders?folderId=${folderId}&force=true`;
    expect((await running.owner.delete(owned)).status).toBe(200);
  });

  it('are organized by agents and owners only', async () => {
    for (const role of ['operator', 'viewer', 'client_manager']) {
      const { key } = await newKey(running.owner, { role, clientIds: [running.clientId] });
      const response = await running.service.api.as(key).get(`${agent.path}/social/folders`);
      expectProblem(response, 403, 'permission_denied');
    }
    const owner = await newPerson(running.owner, { role: 'owner', clientIds: [running.clientId] });
    expect((await owner.api.get(`${agent.path}/social/folders`)).status).toBe(200);
  });
});
