import sharp from 'sharp';
import type { Json } from '../support/api/library.js';
import { newClient, newPerson } from '../support/api/people.js';
import { expectProblem } from '../support/api/problems.js';
import { OWNER, type RunningService } from '../support/services/service.js';
import { sharedService } from '../support/services/shared-service.js';
import { FILES, SAMPLES, Uploader } from '../support/api/uploads.js';

describe('Downloading an original', () => {
  const { bytes, name } = FILES.jpeg;
  const size = bytes.length;
  let service: RunningService;
  let admin: Uploader;
  let asset: { assetId: string; assetRef: string; sha256: string };
  beforeAll(async () => {
    service = await sharedService();
    const owner = await service.api.signIn(OWNER);
    admin = Uploader.admin(owner, await newClient(owner));
    asset = await admin.upload(FILES.jpeg);
  });

  it('sends the stored bytes as an attachment that no browser runs', async () => {
    const { status, headers, bytes: sent } = await admin.download(asset.assetRef);
    expect(status).toBe(200);
    expect(sent.equals(bytes)).toBe(true);
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'image/jpeg',
      'content-length': String(size),
      'content-disposition': `attachment; filename=${name}`,
      'accept-ranges': 'bytes',
      etag: `"${asset.sha256}"`,
      'cache-control': expect.stringMatching(/^private\b/),
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringContaining("default-src 'none'"),
    });
  });

  it.each([
    ['the first bytes', 'bytes=0-99', 0, 99],
    ['from the middle to the end', `bytes=${size - 1000}-`, size - 1000, size - 1],
    ['the last bytes', 'bytes=-10', size - 10, size - 1],
    ['more than there is', `bytes=${size - 5}-${size * 2}`, size - 5, size - 1],
    ['a suffix longer than the file', `bytes=-${size * 2}`, 0, size - 1],
    ['one byte', 'bytes=7-7', 7, 7],
  ])('sends a range: %s', async (_case, range, start, end) => {
    const response = await admin.download(asset.assetId, { range });
    expect(response.status).toBe(206);
    expect(response.headers.get('content-range')).toBe(`bytes ${start}-${end}/${size}`);
    expect(response.headers.get('content-length')).toBe(String(end - start + 1));
    expect(response.bytes.equals(bytes.subarray(start, end + 1))).toBe(true);
  });

  it.each([`bytes=${size}-`, 'bytes=-0'])('rejects %s, which is out of range', async (range) => {
    const response = await admin.api.get(`${admin.base}/${asset.assetId}/download`, { range });
    expectProblem(response, 416, 'range_not_satisfiable');
    expect(response.headers.get('content-range')).toBe(`bytes */${size}`);
  });

  it.each(['bytes=0-1,5-6', 'lines=0-1', 'bytes=x-y'])(
    'responds to %s with the whole file',
    async (range) => {
      const response = await admin.download(asset.assetId, { range });
      expect(response.status).toBe(200);
      expect(response.bytes.equals(bytes)).toBe(true);
    },
  );

  it('sends a range only if If-Range names the current version', async () => {
    const range = 'bytes=0-9';
    const same = await admin.download(asset.assetId, { range, 'if-range': `"${asset.sha256}"` });
    const other = await admin.download(asset.assetId, { range, 'if-range': '"another"' });
    expect([same.status, same.bytes.length]).toEqual([206, 10]);
    expect([other.status, other.bytes.length]).toEqual([200, size]);
  });

  it('sends nothing to callers who already have it', async () => {
    const response = await admin.download(asset.assetId, {
      'if-none-match': `"${asset.sha256}"`,
      // Otherwise fetch adds "no-cache".
      'cache-control': 'max-age=0',
    });
    expect([response.status, response.bytes.length]).toEqual([304, 0]);
    expect(response.headers.get('etag')).toBe(`"${asset.sha256}"`);
    const other = { 'if-none-match': '"another"', 'cache-control': 'max-age=0' };
    expect((await admin.download(asset.assetId, other)).status).toBe(200);
  });

  it('responds to HEAD with the headers of the whole file, even with a range', async () => {
    const whole = await admin.download(asset.assetId, {}, 'HEAD');
    expect([whole.status, whole.bytes.length]).toEqual([200, 0]);
    expect(whole.headers.get('content-length')).toBe(String(size));
    expect(whole.headers.get('content-disposition')).toMatch(/^attachment/);
    const part = await admin.download(asset.assetId, { range: 'bytes=0-9' }, 'HEAD');
    expect([part.status, part.headers.get('content-length')]).toEqual([200, String(size)]);
  });

  it('does not reveal to other clients that the asset exists', async () => {
    const stranger = await newPerson(admin.api, {
      role: 'client_manager',
      clientIds: [await newClient(admin.api)],
    });
    const response = await stranger.api.get(`/portal/assets/${asset.assetId}/download`);
    expectProblem(response, 404, 'asset_not_found');
    const elsewhere = Uploader.admin(admin.api, await newClient(admin.api));
    expectProblem(await admin.api.get(`${elsewhere.base}/${asset.assetId}/download`), 404, 'asset_not_found');
    expectProblem(await admin.api.get(`${admin.base}/nonsense/download`), 404, 'asset_not_found');
  });
});

describe('Downloading a crop', () => {
  let admin: Uploader;
  let portal: Uploader['api'];
  let crops: Json[];
  let asset: Json;
  beforeAll(async () => {
    const service = await sharedService();
    const owner = await service.api.signIn(OWNER);
    const clientId = await newClient(owner);
    admin = Uploader.admin(owner, clientId);
    portal = (await newPerson(owner, { role: 'client_viewer', clientIds: [clientId] })).api;
    asset = await admin.upload(SAMPLES.jpeg, { title: 'Café: “open”/5' });
    crops = (await admin.api.get(`${admin.base}/${asset.assetId}/fitness`)).body.crops;
  });
  const plain = async (width: number, height: number) => {
    const create = { width, height, channels: 3 as const, background: '#808080' };
    const bytes = await sharp({ create }).jpeg().toBuffer();
    return admin.upload({ name: 'small.jpg', mimeType: 'image/jpeg', bytes });
  };
  const refused = async (query: string, status: number, code: string, assetId: string = asset.assetId) =>
    expectProblem(await portal.get(`/portal/assets/${assetId}/download?${query}`), status, code);

  it('sends each shape in the announced size, under a name that says what it is', async () => {
    expect(crops.map(({ shape }) => shape)).toEqual(['square', 'portrait', 'landscape', 'story']);
    for (const { fit, shape, width, height, isTooSmall, channels } of crops) {
      const path = `/${asset.assetId}/download?fit=${fit}&shape=${shape}`;
      const response = await portal.fetch('GET', `/portal/assets${path}`);
      const bytes = Buffer.from(await response.arrayBuffer());
      expect(await sharp(bytes).metadata()).toMatchObject({ format: 'jpeg', width, height });
      expect(isTooSmall).toBe(false);
      expect(channels.length).toBeGreaterThan(2);
      expect(response.headers.get('content-type')).toBe('image/jpeg');
      expect(response.headers.get('content-length')).toBe(String(bytes.length));
      const name = encodeURIComponent(`Café: “open”_5-social-${shape}-${width}x${height}.jpg`);
      expect(response.headers.get('content-disposition')).toMatch(/^attachment;/);
      expect(response.headers.get('content-disposition')).toContain(`filename*=UTF-8''${name}`);
      const whole = await admin.api.fetch('HEAD', admin.base + path);
      expect([whole.status, whole.headers.get('content-length')]).toEqual([200, String(bytes.length)]);
    }
    expect(crops[3]).toMatchObject({ width: 600, height: 1066 });
  });

  it('rejects what cannot be cropped', async () => {
    await refused('shape=square', 400, 'validation_failed');
    await refused('fit=tv', 400, 'validation_failed');
    await refused('fit=social&shape=round', 400, 'validation_failed');
    await refused('fit=social&shape=square&shape=story', 400, 'validation_failed');
    const small = await plain(400, 400);
    await refused('fit=social&shape=story', 422, 'media_invalid', small.assetId);
    const sizes = (await portal.get(`/portal/assets/${small.assetId}/fitness`)).body.crops;
    expect(sizes.map((crop: Json) => [crop.shape, crop.isTooSmall])).toEqual([
      ['square', false],
      ['portrait', false],
      ['landscape', false],
      ['story', true],
    ]);
    const video = await admin.upload(FILES.mp4);
    await refused('fit=social&shape=square', 415, 'unsupported_media_type', video.assetId);
    expect((await portal.get(`/portal/assets/${video.assetId}/fitness`)).body.crops).toEqual([]);
  });

  it('does not reveal to other clients that the asset exists', async () => {
    const elsewhere = Uploader.admin(admin.api, await newClient(admin.api));
    const { assetId } = await elsewhere.upload(FILES.jpeg);
    await refused('fit=social&shape=square', 404, 'asset_not_found', assetId);
    await admin.api.delete(`${admin.base}/${asset.assetId}`);
    await refused('fit=social&shape=square', 404, 'asset_not_found');
  });
});
