import { Bucket } from '../support/store/bucket.js';
import { type LibraryService, newLibrary, sharedLibrary } from '../support/api/library.js';
import { newKey, newPerson } from '../support/api/people.js';
import { expectProblem } from '../support/api/problems.js';
import { seedAssets } from '../support/database/seed-assets.js';
import { query } from '../support/services/service.js';
import { uniqueJpeg, Uploader } from '../support/api/uploads.js';

let running: LibraryService;
let bucket: Bucket;
beforeAll(async () => {
  running = await sharedLibrary();
  bucket = new Bucket(running.service);
});
afterAll(() => bucket.close());
beforeEach(async () => (running = { ...running, ...(await newLibrary(running.owner)) }));

/** An uploaded picture with its thumbnail. */
async function picture(folderId: string | null = null): Promise<string> {
  const { assetId } = await Uploader.admin(running.owner, running.clientId).upload(uniqueJpeg(), {
    folderId,
  });
  expect((await running.admin.get(`/${assetId}/preview?size=thumb`)).status).toBe(200);
  return assetId;
}
const pictures = async (count: number, folderId?: string) => {
  const ids: string[] = [];
  while (ids.length < count) ids.push(await picture(folderId));
  return ids;
};
const trash = (assetIds: string[]) => running.admin.post('/bulk', { assetIds, action: 'trash' });
const listed = async (side = running.admin): Promise<string[][]> =>
  (await side.get('/trash')).body.items.map((item: { previewAssetIds: string[] }) => item.previewAssetIds);
const shown = (assetId: string, side = running.admin) => side.get(`/trash/${assetId}/preview`);

describe('a batch in the trash', () => {
  it('names up to four assets that have a thumbnail, the newest first, on both sides', async () => {
    const ids = await pictures(5);
    const [single, ...others] = ids as [string, ...string[]];
    const [without] = await seedAssets(running.service.databaseUrl, running.clientId, [{}]);
    await trash([single]);
    await trash([...others, without!]);
    await trash(await seedAssets(running.service.databaseUrl, running.clientId, [{}]));
    const expected = [[], others.reverse(), [single]];
    expect(await listed()).toEqual(expected);
    expect(await listed(running.portal)).toEqual(expected);
  });

  it('that is a folder names first what is in the folder itself, then what is below', async () => {
    const folderId = await running.admin.folder('Folder');
    const below = await running.admin.folder('Below', await running.admin.folder('Between', folderId));
    const deep = await pictures(3, below);
    const own = await pictures(2, folderId);
    const [alone] = await pictures(1, folderId);
    await trash([alone!]);
    await running.admin.delete('/folders', { folderId });
    await running.admin.delete('/folders', { folderId: await running.admin.folder('Empty') });
    expect(await listed()).toEqual([[], [...own.reverse(), ...deep.reverse().slice(0, 2)], [alone]]);
  });
});

describe('the thumbnail of an asset in the trash', () => {
  it.each(['the asset', 'its folder'])('is sent as long as %s can be restored', async (what) => {
    const folderId = await running.admin.folder('Folder');
    const assetId = await picture(folderId);
    expectProblem(await shown(assetId), 404, 'asset_not_found');
    const remove = () =>
      what === 'the asset'
        ? running.admin.delete(`/${assetId}`)
        : running.admin.delete('/folders', { folderId });

    const { batchId } = (await remove()).body;
    for (const side of [running.admin, running.portal]) {
      const response = await shown(assetId, side);
      expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/webp']);
      expectProblem(await side.get(`/${assetId}/preview?size=thumb`), 404, 'asset_not_found');
    }
    await running.admin.post('/trash/restore', { batchId });
    expectProblem(await shown(assetId), 404, 'asset_not_found');

    await running.admin.delete('/trash', { batchId: (await remove()).body.batchId });
    expectProblem(await shown(assetId), 404, 'asset_not_found');
  });

  it('is private, and revalidated with its entity tag every time', async () => {
    const assetId = await picture();
    await trash([assetId]);
    const { headers } = await shown(assetId);
    expect(headers.get('cache-control')).toBe('private, no-cache');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    const known = await running.admin.get(`/trash/${assetId}/preview`, {
      'if-none-match': headers.get('etag')!,
    });
    expect(known.status).toBe(304);
  });

  it('is sent to everyone who may list the trash, and to nobody else', async () => {
    const assetId = await picture();
    await trash([assetId]);
    const { clientId, owner } = running;
    const own = { clientIds: [clientId] };
    const other = { clientIds: [(await newLibrary(owner)).clientId] };
    const statusesOf = async (grant: Parameters<typeof newKey>[1], side: 'admin' | 'portal') => {
      const api = owner.as((await newKey(owner, grant)).key);
      const base = side === 'admin' ? `/admin/clients/${clientId}/assets` : '/portal/assets';
      const paths = ['/trash', `/trash/${assetId}/preview`];
      return Promise.all(paths.map(async (path) => (await api.get(base + path)).status));
    };
    expect(await statusesOf({ role: 'viewer', ...own }, 'admin')).toEqual([200, 200]);
    expect(await statusesOf({ role: 'client_viewer', ...own }, 'portal')).toEqual([200, 200]);
    expect(await statusesOf({ role: 'client_manager', ...own }, 'admin')).toEqual([403, 403]);
    expect(await statusesOf({ role: 'agent', ...own }, 'admin')).toEqual([403, 403]);
    expect(await statusesOf({ role: 'operator', ...own, surfaces: ['social'] }, 'admin')).toEqual([403, 403]);
    expect(await statusesOf({ role: 'operator', ...other }, 'admin')).toEqual([404, 404]);
    // Their own trash, which does not contain it.
    expect(await statusesOf({ role: 'client_manager', ...other }, 'portal')).toEqual([200, 404]);

    const foreign = await owner.get(`/admin/clients/${other.clientIds[0]}/assets/trash/${assetId}/preview`);
    expectProblem(foreign, 404, 'asset_not_found');
    const nobody = await running.service.api.get(`${running.admin.path}/trash/${assetId}/preview`);
    expectProblem(nobody, 401, 'unauthenticated');
    const person = await newPerson(owner, { role: 'client_viewer', ...own });
    await owner.patch(`/admin/users/${person.userId}`, { isActive: false });
    expect((await person.api.get(`/portal/assets/trash/${assetId}/preview`)).status).toBe(401);
  });

  it('that was erased or could not be made is not found, and none is made for it', async () => {
    const [erased, failed, never] = await pictures(3);
    const sql = (text: string, id: string) => query(running.service.databaseUrl, text, [id]);
    await sql(`UPDATE renditions SET status = 'failed' WHERE asset_id = $1`, failed!);
    await sql('DELETE FROM renditions WHERE asset_id = $1', never!);
    const key = `clients/${running.clientId}/assets/${erased}/renditions/thumb.webp`;
    await bucket.write(key, 'x');
    await bucket.delete(key);
    await sql(`UPDATE renditions SET sha256 = 'unknown' WHERE asset_id = $1`, erased!);
    await trash([erased!, failed!, never!]);
    expect(await listed()).toEqual([[erased]]);
    for (const id of [erased!, failed!, never!]) expectProblem(await shown(id), 404, 'asset_not_found');
    expect(await sql('SELECT 1 FROM renditions WHERE asset_id = $1', never!)).toEqual([]);
  });
});
