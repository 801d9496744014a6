import { randomUUID } from 'node:crypto';
import { v7 } from 'uuid';
import { toAssetRef } from '../../src/common/asset-ref.js';
import {
  waitUntil,
  type Json,
  type Library,
  type LibraryService,
  newLibrary,
  sharedLibrary,
} from '../support/api/library.js';
import { newPerson } from '../support/api/people.js';
import { expectProblem } from '../support/api/problems.js';
import { seedAssets } from '../support/database/seed-assets.js';
import { seedDelivery, seedTarget } from '../support/database/seed-deliveries.js';
import { query } from '../support/services/service.js';

const HOSTILE = `<img src=x onerror=alert(1)> "' & ‮${'Ω'.repeat(50)}`;

let running: LibraryService;
let library: Library;
beforeAll(async () => (running = await sharedLibrary({ WORKER: 'inline' })));
beforeEach(async () => {
  running = { ...running, ...(await newLibrary(running.owner)) };
  library = running.admin;
});

const sql = (text: string, values: unknown[] = []) => query(running.service.databaseUrl, text, values);
const seed = async (title: string, folderId: string | null = null) =>
  (await seedAssets(running.service.databaseUrl, running.clientId, [{ title, folderId }]))[0]!;

/** Without the creation of the client. */
async function events(parameters = '', api = running.owner): Promise<Json[]> {
  const { status, body } = await api.get(`/admin/clients/${running.clientId}/audit?${parameters}`);
  expect(status).toBe(200);
  return body.events.filter(({ action }: Json) => action !== 'client.create');
}
const actions = (found: readonly Json[]) => found.map(({ action }) => action);

/** Writes an event as any earlier release may have written it. */
async function writeEvent(event: { action: string; subject: readonly [string, string]; after?: object }) {
  const id = v7();
  await sql(
    `INSERT INTO events (id, client_id, actor_kind, actor_name, action, subject_kind, subject_id, after)
       VALUES ($1, $2, 'system', 'system', $3, $4, $5, $6)`,
    [id, running.clientId, event.action, ...event.subject, event.after ?? null],
  );
  return id;
}

describe('The subject of an event', () => {
  it('is named as it is now, with what its preview and its link need', async () => {
    const folderId = await library.folder('Bread', await library.folder('Products'));
    const assetId = await seed('Old title', folderId);
    await library.patch(`/${assetId}`, { title: HOSTILE });
    await library.patch(`/${assetId}`, { tags: ['x'] });

    const [tagged, titled, inner, outer] = await events();
    const asset = { assetId, version: 3, folderId };
    expect(tagged.subject).toEqual({ name: HOSTILE, state: 'live', asset, targetName: null });
    expect(titled.subject).toEqual(tagged.subject);
    expect(titled.before).toEqual({ title: 'Old title' });
    expect(inner.subject).toEqual({ name: 'Products/Bread', state: 'live', asset: null, targetName: null });
    expect(outer.subject.name).toBe('Products');
  });

  it('is in the trash if its folder is, and keeps its last known name when it is deleted permanently', async () => {
    const folderId = await library.folder('Season');
    const [alone, inFolder] = [await seed('Alone'), await seed('In the folder', folderId)];
    await library.patch(`/${alone}`, { title: 'Renamed' });
    await library.patch(`/${inFolder}`, { title: 'Renamed too' });
    await library.patch(`/${inFolder}`, { tags: ['x'] });
    await library.delete(`/${alone}`);
    await library.delete('/folders', { folderId });
    const subjects = async () =>
      Object.fromEntries((await events()).map(({ subjectId, subject }) => [subjectId, subject]));
    const trashed = await subjects();
    expect(trashed[alone]).toMatchObject({ name: 'Renamed', state: 'trashed', asset: { assetId: alone } });
    expect(trashed[inFolder]).toMatchObject({ name: 'Renamed too', state: 'trashed' });
    expect(trashed[folderId]).toMatchObject({ name: 'Season', state: 'trashed', asset: null });

    await library.delete('/trash');
    const left = () => sql('SELECT 1 FROM trash_batches WHERE client_id = $1', [running.clientId]);
    await waitUntil(async () => (await left()).length === 0, 'the trash is empty');
    const deleted = await subjects();
    const gone = { state: 'deleted', asset: null };
    expect(deleted[alone]).toMatchObject({ name: 'Renamed', ...gone });
    expect(deleted[inFolder]).toMatchObject({ name: 'Renamed too', ...gone });
    expect(deleted[folderId]).toMatchObject({ name: 'Season', ...gone });
  });

  it('of a delivery, a reference and a restored batch is the asset', async () => {
    const { databaseUrl } = running.service;
    const assetId = await seed('Storefront');
    const targetId = await seedTarget(databaseUrl, running.clientId);
    const deliveryId = await seedDelivery(databaseUrl, {
      clientId: running.clientId,
      assetId,
      targetId,
      status: 'failed',
    });
    await writeEvent({ action: 'delivery.failed', subject: ['delivery', deliveryId] });
    await running.owner.put(`/agents/clients/${running.clientId}/references/seo_post/post-1`, {
      featuredAssetRef: toAssetRef(assetId),
      title: 'A post',
    });
    const { batchId } = (await library.delete(`/${assetId}?force=true`)).body;
    await library.post('/trash/restore', { batchId });

    const found = await events();
    expect(actions(found)).toEqual(['trash.restore', 'asset.trash', 'reference.set', 'delivery.failed']);
    for (const each of found)
      expect(each.subject).toMatchObject({ name: 'Storefront', state: 'live', asset: { assetId } });
    const [delivery] = found.filter(({ subjectKind }) => subjectKind === 'delivery');
    expect(delivery.subject.targetName).toEqual(expect.any(String));
  });

  it('never reveals a name of another client, whatever an event contains', async () => {
    const other = await newLibrary(running.owner);
    const { databaseUrl } = running.service;
    const [assetId] = await seedAssets(databaseUrl, other.clientId, [{ title: 'Their secret' }]);
    const folderId = await other.admin.folder('Their folder');
    const targetId = await seedTarget(databaseUrl, other.clientId);
    await other.admin.patch(`/${assetId}`, { tags: ['x'] });
    await writeEvent({ action: 'asset.update', subject: ['asset', assetId!] });
    await writeEvent({ action: 'folder.update', subject: ['folder', folderId] });
    await writeEvent({ action: 'target.update', subject: ['target', targetId] });
    await writeEvent({
      action: 'reference.set',
      subject: ['reference', 'seo_post/1'],
      after: { featuredAssetRef: toAssetRef(assetId!) },
    });
    await writeEvent({
      action: 'trash.restore',
      subject: ['trash_batch', randomUUID()],
      after: { folderId },
    });
    const found = await events();
    expect(found).toHaveLength(5);
    for (const { subject } of found)
      expect(subject).toEqual({
        name: null,
        state: expect.not.stringMatching('live'),
        asset: null,
        targetName: null,
      });
    expect(await events(`assetId=${assetId}`)).toEqual([
      expect.objectContaining({ action: 'asset.update', subject: expect.objectContaining({ name: null }) }),
    ]);

    const theirs = await newPerson(running.owner, { role: 'viewer', clientIds: [other.clientId] });
    const denied = await theirs.api.get(`/admin/clients/${running.clientId}/audit?assetId=${assetId}`);
    expect([403, 404]).toContain(denied.status);
  });

  it('of an event with odd contents is unnamed instead of an error', async () => {
    await writeEvent({ action: 'asset.update', subject: ['asset', 'not an id'] });
    await writeEvent({
      action: 'trash.restore',
      subject: ['trash_batch', 'x'],
      after: { assetId: { $ne: 1 } },
    });
    await writeEvent({
      action: 'reference.set',
      subject: ['reference', '/'],
      after: { featuredAssetRef: ['x'], assetRefs: 'y', title: 5 },
    });
    for (const { subject } of await events()) expect(subject).toMatchObject({ name: null, asset: null });
  });
});

describe('The activity of one asset', () => {
  it('is everything that happened to it, newest first, page by page', async () => {
    const { databaseUrl } = running.service;
    const [assetId, other] = [await seed('Shown'), await seed('Other')];
    const targetId = await seedTarget(databaseUrl, running.clientId);
    await library.patch(`/${assetId}`, { title: 'Changed' });
    await library.patch(`/${other}`, { title: 'Not of interest' });
    const deliveryId = await seedDelivery(databaseUrl, { clientId: running.clientId, assetId, targetId });
    await writeEvent({ action: 'delivery.create', subject: ['delivery', deliveryId] });
    await running.owner.put(`/agents/clients/${running.clientId}/references/seo_post/post-1`, {
      assetRefs: [toAssetRef(assetId)],
    });
    const { body } = await library.post('/bulk', {
      action: 'trash',
      assetIds: [assetId, other],
      force: true,
    });
    await library.post('/trash/restore', { batchId: body.batchId });

    const expected = ['trash.restore', 'asset.trash', 'reference.set', 'delivery.create', 'asset.update'];
    expect(actions(await events(`assetId=${assetId}`))).toEqual(expected);
    expect(actions(await events(`assetId=${assetId.toUpperCase()}`))).toEqual(expected);

    const paged: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const next: string = cursor === '' ? '' : `&cursor=${cursor}`;
      const path = `/admin/clients/${running.clientId}/audit?assetId=${assetId}&limit=2${next}`;
      const page = (await running.owner.get(path)).body;
      paged.push(...actions(page.events));
      cursor = page.nextCursor;
    }
    expect(paged).toEqual(expected);
  });

  it('is empty for unknown assets, and rejects what is no id', async () => {
    expect(await events(`assetId=${randomUUID()}`)).toEqual([]);
    const path = `/admin/clients/${running.clientId}/audit?assetId=asset_1`;
    expectProblem(await running.owner.get(path), 400, 'validation_failed');
  });
});
