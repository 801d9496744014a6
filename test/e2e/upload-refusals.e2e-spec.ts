import { Bucket } from '../support/store/bucket.js';
import { eventually } from '../support/eventually.js';
import { newClient, newPerson } from '../support/api/people.js';
import { expectProblem, pathsOf } from '../support/api/problems.js';
import { OWNER, query, type Service, startService } from '../support/services/service.js';
import { FILES, put, type TestFile, uniqueJpeg, Uploader } from '../support/api/uploads.js';

describe('Why an upload is rejected', () => {
  let service: Service;
  let admin: Uploader;
  beforeAll(async () => {
    service = await startService({
      WORKER: 'inline',
      UPLOAD_SESSION_SECONDS: '5',
      LIMIT_FILE_BYTES: '200000',
    });
    const owner = await service.api.signIn(OWNER);
    admin = Uploader.admin(owner, await newClient(owner));
  });
  afterAll(() => service.stop());

  const text: TestFile = { name: 'notes.txt', mimeType: 'text/plain', bytes: Buffer.from('some notes') };

  it('an unsupported type: the session contains a warning, and finalize rejects it', async () => {
    const session = await admin.open(text);
    expect(session['warnings']).toEqual(['unsupported_type']);
    expect(await put(session.uploadUrl, text.bytes)).toBe(200);
    expectProblem(await admin.finalize(session), 415, 'unsupported_media_type');
    expect((await admin.status(session.sessionId)).body).toMatchObject({
      status: 'rejected',
      uploaded: false,
      rejection: { code: 'unsupported_media_type' },
    });
    const again = await admin.finalize(session);
    expectProblem(again, 409, 'upload_session_closed');
    expect(again.body).toMatchObject({
      detail: expect.stringContaining('text/plain'),
      reason: { code: 'unsupported_media_type' },
    });
  });

  it('image/heif, which browsers declare for HEIC, unless the file name says so too', async () => {
    for (const name of ['photo.jpg', 'photo', 'photo.heic.png', 'photo.avif']) {
      const session = await admin.stage({ ...FILES.heic, name, mimeType: 'image/heif' });
      expect(session['warnings']).toEqual(['unsupported_type']);
      expectProblem(await admin.finalize(session), 415, 'unsupported_media_type');
    }
    const jpeg = await admin.stage({ ...FILES.jpeg, name: 'photo.heic', mimeType: 'image/heif' });
    expectProblem(await admin.finalize(jpeg), 415, 'content_mismatch');
    const unnamed = await admin.stage({ ...FILES.heic, mimeType: 'application/octet-stream' });
    expectProblem(await admin.finalize(unnamed), 415, 'unsupported_media_type');
  });

  it('a wrong type: rejected permanently, and the bytes are deleted', async () => {
    const bucket = new Bucket(service);
    const session = await admin.stage({ ...FILES.png, mimeType: 'image/jpeg' });
    expectProblem(await admin.finalize(session), 415, 'content_mismatch');
    const again = await admin.finalize(session);
    expectProblem(again, 409, 'upload_session_closed');
    expect(again.body.reason.code).toBe('content_mismatch');
    await eventually(async () =>
      expect((await bucket.keys('clients/')).filter((key) => key.includes(session.sessionId))).toEqual([]),
    );
    const [row] = await query<{ attempt: string | null }>(
      service.databaseUrl,
      'SELECT attempt FROM upload_sessions WHERE id = $1',
      [session.sessionId],
    );
    expect(row).toEqual({ attempt: null });
    bucket.close();
  });

  it('nothing uploaded yet: it works once the bytes are there', async () => {
    const file = uniqueJpeg();
    const session = await admin.open(file);
    expectProblem(await admin.finalize(session), 409, 'upload_incomplete');
    expect((await admin.status(session.sessionId)).body.status).toBe('pending');
    expect(await put(session.uploadUrl, file.bytes)).toBe(200);
    expect((await admin.finalize(session)).status).toBe(201);
  });

  it('a size other than declared: the store itself does not accept it', async () => {
    const file = uniqueJpeg();
    const session = await admin.open(file);
    for (const wrong of [file.bytes.subarray(1), Buffer.concat([file.bytes, Buffer.from('x')])]) {
      expect(await put(session.uploadUrl, wrong)).toBe(403);
    }
    expect((await admin.status(session.sessionId)).body).toMatchObject({
      status: 'pending',
      uploaded: false,
    });
  });

  it('another size by other means: 422, and the session stays open', async () => {
    const bucket = new Bucket(service);
    const file = uniqueJpeg();
    const session = await admin.open(file);
    const clientId = admin.base.split('/')[3]!;
    await bucket.write(`clients/${clientId}/uploads/${session.sessionId}`, file.bytes.subarray(1));
    expectProblem(await admin.finalize(session), 422, 'size_mismatch');
    expect((await admin.status(session.sessionId)).body.status).toBe('pending');
    expect(await put(session.uploadUrl, file.bytes)).toBe(200);
    expect((await admin.finalize(session)).status).toBe(201);
    bucket.close();
  });

  it('an unknown token, or that of another client: 404, and nothing happens to the session', async () => {
    const session = await admin.stage(uniqueJpeg());
    expectProblem(await admin.finalize({ uploadToken: 'no-such-token' }), 404, 'upload_session_not_found');
    const otherClient = await newClient(admin.api);
    const elsewhere = Uploader.admin(admin.api, otherClient);
    const portal = Uploader.portal(
      (await newPerson(admin.api, { role: 'client_manager', clientIds: [otherClient] })).api,
    );
    for (const stranger of [elsewhere, portal]) {
      const path = `${stranger.base}/upload-session/${session.sessionId}`;
      expectProblem(await stranger.finalize(session), 404, 'upload_session_not_found');
      expectProblem(await stranger.status(session.sessionId), 404, 'upload_session_not_found');
      expectProblem(await stranger.api.delete(path), 404, 'upload_session_not_found');
      expectProblem(await stranger.api.post(`${path}/renew`), 404, 'upload_session_not_found');
    }
    expect((await admin.finalize(session)).status).toBe(201);
  });

  it('someone who may only read', async () => {
    const viewer = Uploader.admin(
      (await newPerson(admin.api, { role: 'viewer' })).api,
      admin.base.split('/')[3]!,
    );
    expectProblem(await viewer.request(FILES.jpeg), 403, 'permission_denied');
    expectProblem(await viewer.finalize({ uploadToken: 'any' }), 403, 'permission_denied');
  });

  it('an expired session: 410, whatever is stored there', async () => {
    const session = await admin.stage(uniqueJpeg());
    const expired = await eventually(async () => {
      const status = await admin.status(session.sessionId);
      expect(Date.parse(status.body.sessionExpiresAt)).toBeLessThan(Date.now());
      return admin.finalize(session);
    });
    expectProblem(expired, 410, 'upload_session_expired');
    expect((await admin.status(session.sessionId)).body).toMatchObject({
      status: 'expired',
      uploaded: false,
    });
    expectProblem(await admin.finalize(session), 410, 'upload_session_expired');
    expectProblem(
      await admin.api.post(`${admin.base}/upload-session/${session.sessionId}/renew`),
      410,
      'upload_session_expired',
    );
  });

  it('a file larger than allowed', async () => {
    expectProblem(await admin.request(FILES.jpeg, { expectedSizeBytes: 200_001 }), 413, 'file_too_large');
    expect((await admin.request(FILES.jpeg, { expectedSizeBytes: 200_000 })).status).toBe(201);
  });

  it.each([
    ['expectedSizeBytes', { expectedSizeBytes: 0 }],
    ['expectedSizeBytes', { expectedSizeBytes: -1 }],
    ['expectedSizeBytes', { expectedSizeBytes: 1e300 }],
    ['expectedSizeBytes', { expectedSizeBytes: 2 ** 53 }],
    ['expectedSizeBytes', { expectedSizeBytes: null }],
    ['expectedSizeBytes', { expectedSizeBytes: 1.5 }],
    ['expectedSizeBytes', { expectedSizeBytes: '5' }],
    ['mimeType', { mimeType: 'jpeg' }],
    ['originalFilename', { originalFilename: '' }],
    ['sha256', { sha256: 'abc' }],
    ['folderId', { folderId: 'x' }],
    ['size', { size: 5 }],
  ])('a session request with a wrong %s', async (path, extra) => {
    const response = await admin.request(FILES.jpeg, extra);
    expectProblem(response, 400, 'validation_failed');
    expect([...new Set(pathsOf(response))]).toEqual([path]);
  });

  it.each([
    ['open sessions', { LIMIT_OPEN_SESSIONS: '3' }],
    ['bytes in open sessions', { LIMIT_OPEN_BYTES: String(3 * FILES.jpeg.bytes.length) }],
  ])('more %s than allowed, until one is closed', async (_what, limit) => {
    const limited = await service.another(limit);
    try {
      const uploader = Uploader.admin(await limited.api.signIn(OWNER), await newClient(admin.api));
      const opened = await Promise.all([1, 2, 3, 4, 5, 6].map(() => uploader.request(FILES.jpeg)));
      const refused = opened.filter(({ status }) => status !== 201);
      expect(refused).toHaveLength(3);
      for (const response of refused) expectProblem(response, 429, 'too_many_open_sessions');
      expect(Number(refused[0]!.headers.get('retry-after'))).toBeGreaterThan(0);
      const { sessionId } = opened.find(({ status }) => status === 201)!.body;
      expect((await uploader.api.delete(`${uploader.base}/upload-session/${sessionId}`)).status).toBe(200);
      expect((await uploader.request(FILES.jpeg)).status).toBe(201);
    } finally {
      await limited.stop();
    }
  });

  it('no store: 503 naming the missing settings, while everything else works', async () => {
    const missing = { STORAGE_BUCKET_NAME: undefined, STORAGE_ACCESS_KEY_ID: undefined };
    const bare = await service.another(missing);
    try {
      const uploader = Uploader.admin(await bare.api.signIn(OWNER), await newClient(admin.api));
      const response = await uploader.request(FILES.jpeg);
      expectProblem(response, 503, 'storage_not_configured');
      for (const name of Object.keys(missing)) expect(response.body.detail).toContain(name);
      expect(response.body.detail).toMatch(/restarted/);
      expect(response.body.missing.sort()).toEqual(Object.keys(missing).sort());
      expect((await uploader.api.get('/admin/clients')).status).toBe(200);
    } finally {
      await bare.stop();
    }
  });
});
