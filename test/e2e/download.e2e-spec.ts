import { newClient, newPerson } from '../support/api/people.js';
import { expectProblem } from '../support/api/problems.js';
import { OWNER, type RunningService } from '../support/services/service.js';
import { sharedService } from '../support/services/shared-service.js';
import { FILES, Uploader } from '../support/api/uploads.js';

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
