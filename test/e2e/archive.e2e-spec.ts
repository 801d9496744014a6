import { DeleteObjectCommand } from '@aws-sdk/client-s3';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { toAssetRef } from '../../src/common/asset-ref.js';
import { DownloadFolder, head, open, unzipTest } from '../support/api/download.js';
import { type LibraryService, newLibrary, sharedLibrary } from '../support/api/library.js';
import { newKey, newPerson } from '../support/api/people.js';
import { expectProblem } from '../support/api/problems.js';
import { readContent, readZip } from '../support/api/read-zip.js';
import { seedAssets, seedFiles } from '../support/database/seed-assets.js';
import { runJob } from '../support/services/background.js';
import { query, storeClient } from '../support/services/service.js';

const MB = 1024 * 1024;
const UNKNOWN = '0198a3c4-7b1e-7cc0-8f5e-2f5d1c9a7b10';

let running: LibraryService;
let token: string;
const downloads = new DownloadFolder();

describe('The archive of a selection', () => {
  beforeAll(async () => {
    running = await sharedLibrary({ WORKER: 'inline' });
    token = (await newKey(running.owner, { role: 'viewer', clientIds: null })).key;
  });
  afterAll(() => downloads.remove());
  beforeEach(async () => {
    running = { ...running, ...(await newLibrary(running.owner)) };
  });

  const basePath = () => `/admin/clients/${running.clientId}/assets`;
  const request = (assetIds: readonly unknown[], as = token) =>
    running.owner.as(as).post(`${basePath()}/archive`, { assetIds });
  const urlOf = (path: string) => running.service.url + path;

  /** Returns the address of the archive. */
  async function link(assetIds: readonly string[]): Promise<string> {
    const { status, body } = await request(assetIds);
    expect(status).toBe(201);
    return urlOf(body.url as string);
  }

  async function seed(...files: { name?: string; bytes?: Buffer; folderId?: string; takenAt?: string }[]) {
    return seedFiles(
      running.service,
      running.clientId,
      files.map(({ name = 'a.jpg', bytes = Buffer.from(name), ...rest }) => ({
        ...rest,
        originalFilename: name,
        bytes,
      })),
    );
  }

  const statusOf = async (url: string, as = token) => (await downloads.fetch(url, as)).status;

  it('contains exactly these assets of all folders, with safe names, their bytes and times', async () => {
    const folderId = await running.admin.folder('Autumn');
    const files = await seed(
      { name: 'same.jpg', bytes: Buffer.from('first'), takenAt: '2019-07-14T05:06:08Z' },
      { name: 'SAME.jpg', bytes: Buffer.from('second'), folderId },
      { name: '../x.hta', bytes: randomBytes(2.5 * MB), folderId },
      { name: 'another.jpg' },
    );
    const [first, second, third] = files.map(({ assetId }) => assetId);
    const { status, body } = await request([first!, toAssetRef(second!), third!.toUpperCase(), second!]);
    expect(status).toBe(201);
    const seconds = (Date.parse(body.expiresAt as string) - Date.now()) / 1000;
    expect(seconds).toBeGreaterThan(590);
    expect(seconds).toBeLessThan(610);

    const url = urlOf(body.url as string);
    const { headers } = await head(url, token);
    const { isComplete, path, bytes, ...got } = await downloads.fetch(url, token);
    expect(isComplete).toBe(true);
    expect(bytes).toBe(Number(headers['content-length']));
    expect(got.headers['content-disposition']).toBe(
      'attachment; filename="Test client ? 3 assets.zip"; filename*=UTF-8\'\'Test%20client%20%E2%80%93%203%20assets.zip',
    );
    expect(got.headers['cache-control']).toBe('private, no-store');
    const entries = readZip(path);
    expect(entries.map(({ name }) => name)).toEqual([
      'Test client – 3 assets/',
      'Test client – 3 assets/same.jpg',
      'Test client – 3 assets/SAME (2).jpg',
      'Test client – 3 assets/.._x.hta.jpg',
    ]);
    expect(readContent(path, entries[2]!).toString()).toBe('second');
    expect(entries[1]!.date.toISOString()).toBe('2019-07-14T05:06:08.000Z');
    expect(entries.every(({ method }) => method === 0)).toBe(true);
    expect((await unzipTest(path)) ?? '').toBe('');
  });

  it('is the same through the portal', async () => {
    const [file] = await seed({});
    const { status, body } = await running.portal.post('/archive', { assetIds: [file!.assetId] });
    expect(status).toBe(201);
    expect(body.url).toMatch(/^\/portal\/assets\/archive\/[0-9a-f-]{36}$/);
    const response = await running.portal.api.fetch('GET', body.url as string);
    expect(response.headers.get('content-disposition')).toContain('1 asset.zip');
    expect((await response.arrayBuffer()).byteLength).toBe(Number(response.headers.get('content-length')));
  });

  it('can be downloaded once; neither HEAD nor a download that breaks off counts', async () => {
    const [file] = await seed({ bytes: randomBytes(24 * MB) });
    const url = await link([file!.assetId]);
    expect((await head(url, token)).statusCode).toBe(200);
    const broken = await open(url, token);
    await once(broken, 'readable');
    broken.destroy();
    // Another one that has started before the first one ends may finish.
    const started = await open(url, token);
    expect(await statusOf(url)).toBe(200);
    expect(started.statusCode).toBe(200);
    started.resume();
    await once(started, 'end');
    expect(started.complete).toBe(true);
    expectProblem(await running.owner.as(token).get(new URL(url).pathname), 410, 'archive_expired');
    expect((await head(url, token)).statusCode).toBe(410);
  });

  it('breaks off if a file is missing, and can be requested again with the same link', async () => {
    const files = await seed({ bytes: randomBytes(MB) }, { bytes: randomBytes(MB) });
    const url = await link(files.map(({ assetId }) => assetId));
    const store = storeClient();
    await store.send(new DeleteObjectCommand({ Bucket: running.service.bucket, Key: files[1]!.key }));
    store.destroy();
    for (const _attempt of [1, 2]) {
      const { status, isComplete } = await downloads.fetch(url, token);
      expect({ status, isComplete }).toEqual({ status: 200, isComplete: false });
    }
  });

  it('is only for the caller who requested it, and only with the same client', async () => {
    const [file] = await seed({});
    const url = await link([file!.assetId]);
    const clientIds = [running.clientId];
    const id = url.split('/').at(-1)!;
    const other = await newLibrary(running.owner);
    const anotherKey = (await newKey(running.owner, { role: 'viewer', clientIds: null })).key;
    const manager = (await newKey(running.owner, { role: 'client_manager', clientIds })).key;
    const tries: [path: string, as: ReturnType<typeof running.owner.as>][] = [
      [new URL(url).pathname, running.owner],
      [new URL(url).pathname, running.owner.as(anotherKey)],
      [`/admin/clients/${other.clientId}/assets/archive/${id}`, running.owner.as(token)],
      [`/portal/assets/archive/${id}`, running.owner.as(manager)],
      [`${basePath()}/archive/${UNKNOWN}`, running.owner.as(token)],
      [`${basePath()}/archive/..%2f${id}`, running.owner.as(token)],
    ];
    for (const [path, as] of tries) {
      const { status, body } = await as.get(path);
      expect({ path, status, code: body.code }).toEqual({ path, status: 404, code: 'archive_not_found' });
    }
    expectProblem(await running.owner.as(manager).get(new URL(url).pathname), 403, 'permission_denied');
    expect((await fetch(url)).status).toBe(401);
    expect(await statusOf(url)).toBe(200);
  });

  it('belongs to the person, not to the sign-in', async () => {
    const [file] = await seed({});
    const person = await newPerson(running.owner, { role: 'viewer', clientIds: [running.clientId] });
    const { body } = await person.api.post(`${basePath()}/archive`, { assetIds: [file!.assetId] });
    const again = await person.api.signIn({ email: person.email, password: person.password });
    expect((await again.fetch('HEAD', body.url as string)).status).toBe(200);
    await running.owner.patch(`/admin/users/${person.userId}`, { isActive: false });
    expect((await again.fetch('GET', body.url as string)).status).toBe(401);
  });

  it('expires after ten minutes; some time later, the link is deleted', async () => {
    const [file] = await seed({});
    const url = await link([file!.assetId]);
    const fresh = await link([file!.assetId]);
    const age = (by: string) =>
      query(
        running.service.databaseUrl,
        'UPDATE archive_links SET expires_at = expires_at - $2::interval WHERE id = $1',
        [url.split('/').at(-1), by],
      );
    await age('10 minutes');
    expect(await statusOf(url)).toBe(410);
    await runJob(running.service, 'delete-old-archive-links');
    expect(await statusOf(url)).toBe(410);
    await age('1 hour');
    await runJob(running.service, 'delete-old-archive-links');
    expect(await statusOf(url)).toBe(404);
    expect(await statusOf(fresh)).toBe(200);
  });

  it('is refused as a whole if some of the assets are missing, and names them', async () => {
    const [live, trashed, inFolder] = await seed({}, {}, { folderId: await running.admin.folder('Old') });
    await running.admin.delete(`/${trashed!.assetId}`);
    const { folders } = (await running.admin.get('/folders')).body as {
      folders: { name: string; folderId: string }[];
    };
    await running.admin.delete('/folders', {
      folderId: folders.find(({ name }) => name === 'Old')!.folderId,
    });
    const other = await newLibrary(running.owner);
    const [foreign] = await seedAssets(running.service.databaseUrl, other.clientId, [{}]);
    const missing = [trashed!.assetId, inFolder!.assetId, foreign!, UNKNOWN, 'nonsense'];
    const refused = await request([live!.assetId, ...missing]);
    expectProblem(refused, 404, 'asset_not_found');
    expect(refused.body.results).toEqual(
      missing.map((assetId) => ({ assetId, ok: false, code: 'asset_not_found' })),
    );
  });

  it('leaves out what has been trashed since', async () => {
    const files = await seed({ name: 'stays.jpg' }, { name: 'goes.jpg' });
    const url = await link(files.map(({ assetId }) => assetId));
    await running.admin.delete(`/${files[1]!.assetId}`);
    const { path } = await downloads.fetch(url, token);
    expect(readZip(path).map(({ name }) => name)).toEqual([
      'Test client – 1 asset/',
      'Test client – 1 asset/stays.jpg',
    ]);
    const gone = await link([files[0]!.assetId]);
    await running.admin.delete(`/${files[0]!.assetId}`);
    expectProblem(await running.owner.as(token).get(new URL(gone).pathname), 404, 'asset_not_found');
  });

  it('has up to 1,000 assets', async () => {
    const files = await seed(...Array.from({ length: 1_000 }, () => ({ name: 'IMG_0001.jpg' })));
    const ids = files.map(({ assetId }) => assetId);
    const { path, isComplete } = await downloads.fetch(await link(ids), token);
    expect(isComplete).toBe(true);
    expect(new Set(readZip(path).map(({ name }) => name)).size).toBe(1_001);
    for (const wrong of [[...ids, ids[0]!], [], [5]])
      expectProblem(await request(wrong), 400, 'validation_failed');
  });

  it('takes the place of the oldest of 20 links of the same caller', async () => {
    const [file] = await seed({});
    const { key } = await newKey(running.owner, { role: 'viewer', clientIds: null });
    const urls: string[] = [];
    for (let count = 0; count < 21; count++)
      urls.push(urlOf((await request([file!.assetId], key)).body.url as string));
    expect(await statusOf(urls[0]!, key)).toBe(404);
    expect(await statusOf(urls[1]!, key)).toBe(200);
    expect(await statusOf(urls[20]!, key)).toBe(200);
  });
});
