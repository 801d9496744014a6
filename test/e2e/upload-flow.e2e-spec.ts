import { readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describeConfinement, findConfinement } from '../../src/media/confinement.js';
import { Bucket, stagingKey } from '../support/store/bucket.js';
import { eventually } from '../support/eventually.js';
import { newClient, newPerson } from '../support/api/people.js';
import { expectProblem } from '../support/api/problems.js';
import { familyOf } from '../support/services/process-memory.js';
import { OWNER, query, type ServiceProcess, startProcess } from '../support/services/service.js';
import { FILES, put, SAMPLES, sha256, uniqueJpeg, Uploader } from '../support/api/uploads.js';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/;

describe('Uploading a file', () => {
  let service: ServiceProcess;
  let bucket: Bucket;
  let clientId: string;
  let admin: Uploader;
  let portal: Uploader;
  beforeAll(async () => {
    service = await startProcess({ WORKER: 'inline' });
    bucket = new Bucket(service);
    const owner = await service.api.signIn(OWNER);
    clientId = await newClient(owner);
    admin = Uploader.admin(owner, clientId);
    portal = Uploader.portal((await newPerson(owner, { role: 'client_manager', clientIds: [clientId] })).api);
  });
  afterAll(async () => {
    bucket.close();
    await service.stop();
  });

  const onLinux = process.platform === 'linux' ? it : it.skip;
  onLinux('decodes it in child processes that are confined as far as the machine allows', async () => {
    await admin.upload(uniqueJpeg());
    const entry = join(__dirname, '../../dist/src/media/child/main.js');
    const confinement = findConfinement(entry);
    const { namespaces, noNewPrivileges } = describeConfinement(confinement);
    const networkOf = (pid: number | 'self') => readlinkSync(`/proc/${pid}/ns/net`);
    const argumentsOf = (pid: number) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
    const decoders = familyOf(service.process.pid!).filter((pid) => argumentsOf(pid).includes(entry));
    expect(decoders.length).toBeGreaterThan(0);
    for (const pid of decoders) {
      expect(argumentsOf(pid)).toEqual(expect.arrayContaining([...confinement.nodeFlags]));
      if (noNewPrivileges) expect(readFileSync(`/proc/${pid}/status`, 'utf8')).toMatch(/NoNewPrivs:\s+1/);
      if (namespaces) expect(networkOf(pid)).not.toBe(networkOf('self'));
    }
  });

  const kinds = Object.keys(SAMPLES) as (keyof typeof SAMPLES)[];
  const cases = (['admin', 'portal'] as const).flatMap((side) => kinds.map((kind) => ({ side, kind })));

  it.each(cases)('goes from session to PUT to asset: $kind on the $side side', async ({ side, kind }) => {
    const uploader = side === 'admin' ? admin : portal;
    const { name, mimeType, bytes } = SAMPLES[kind];
    const judged = expect.objectContaining({ verdict: expect.stringMatching(/^(ready|fixable|blocked)$/) });
    const session = await uploader.open(SAMPLES[kind]);
    expect(session).toMatchObject({
      sessionId: expect.stringMatching(UUID),
      status: 'pending',
      method: 'PUT',
      headers: { 'Content-Type': mimeType },
      uploadToken: expect.stringMatching(/^[\w-]{43,}$/),
    });
    expect(session).not.toHaveProperty('warnings');
    const urlLifetimeMs = Date.parse(session['expiresAt'] as string) - Date.now();
    expect(urlLifetimeMs / 60_000).toBeCloseTo(15, 0);
    expect((await uploader.status(session.sessionId)).body).toMatchObject({
      status: 'pending',
      uploaded: false,
      originalFilename: name,
      mimeType,
      expectedSizeBytes: bytes.length,
      assetId: null,
      rejection: null,
    });

    expect(await put(session.uploadUrl, bytes, session.headers)).toBe(200);
    expect((await uploader.status(session.sessionId)).body).toMatchObject({
      status: 'pending',
      uploaded: true,
    });

    const { status, body: asset } = await uploader.finalize(session);
    expect(status).toBe(201);
    expect(asset).toEqual({
      assetId: expect.stringMatching(UUID),
      assetRef: expect.stringMatching(/^asset_[0-9a-z]{26}$/),
      clientId,
      folderId: null,
      title: name.replace(/\.\w+$/, ''),
      description: '',
      altText: '',
      tags: [],
      allowedSurfaces: [],
      originalFilename: name,
      mimeType,
      sizeBytes: bytes.length,
      sha256: sha256(bytes),
      width: expect.any(Number),
      height: expect.any(Number),
      durationMs: kind === 'mp4' ? expect.any(Number) : null,
      takenAt: asset.takenAt,
      placeholder: kind === 'mp4' ? null : expect.stringMatching(/^[\w+/]{20,}=*$/),
      duplicateOf: side === 'admin' ? null : expect.stringMatching(UUID),
      usages: 0,
      focalPoint: null,
      version: 1,
      createdAt: expect.stringMatching(/^\d{4}-.*Z$/),
      updatedAt: expect.stringMatching(/^\d{4}-.*Z$/),
      createdBy: { kind: 'user', id: expect.stringMatching(UUID), name: expect.stringContaining('@') },
      fitness: { website: judged, social: judged, gbp: judged },
    });
    expect(Math.min(asset.width, asset.height)).toBeGreaterThan(100);
    expect(asset.takenAt === null || Date.parse(asset.takenAt) > 0).toBe(true);

    expect((await uploader.status(session.sessionId)).body).toMatchObject({
      status: 'finalized',
      uploaded: true,
      assetId: asset.assetId,
      assetRef: asset.assetRef,
    });
    expect((await uploader.api.get(`${uploader.base}/${asset.assetRef}`)).body).toEqual(asset);
    expect((await uploader.download(asset.assetId)).bytes.equals(bytes)).toBe(true);
  });

  it.each(['IMG_0001.HEIC', 'photo.heif', 'photo.hif'])(
    'accepts %s that a browser calls image/heif',
    async (name) => {
      const session = await admin.stage({ ...FILES.heic, name, mimeType: 'image/heif' });
      expect(session).not.toHaveProperty('warnings');
      expect(session.headers).toEqual({ 'Content-Type': 'image/heic' });
      expect(await admin.finalize(session)).toMatchObject({ status: 201, body: { mimeType: 'image/heic' } });
    },
  );

  it('stores the fields of the finalize request', async () => {
    const described = {
      title: '  Storefront at dawn ',
      description: 'Lit, before opening.',
      altText: 'A lit window',
      tags: ['autumn', ' storefront', 'autumn'],
      allowedSurfaces: ['gbp', 'website'],
    };
    expect(await admin.upload(uniqueJpeg(), described)).toMatchObject({
      ...described,
      title: 'Storefront at dawn',
      tags: ['autumn', 'storefront'],
      allowedSurfaces: ['website', 'gbp'],
    });
  });

  it('returns the same asset with 200 when the finalize is repeated', async () => {
    const session = await admin.stage(uniqueJpeg());
    const first = await admin.finalize(session, { title: 'First' });
    const second = await admin.finalize(session, { title: 'Second' });
    expect([first.status, second.status]).toEqual([201, 200]);
    expect(second.body).toEqual(first.body);
  });

  it('puts the asset into the folder of the session, unless the finalize names another', async () => {
    const [social, posted] = (
      await query<{ id: string }>(
        service.databaseUrl,
        'SELECT id FROM folders WHERE client_id = $1 ORDER BY parent_id NULLS FIRST',
        [clientId],
      )
    ).map(({ id }) => id);
    const inFolder = async (extra: object) =>
      (await admin.finalize(await admin.stage(uniqueJpeg(), { folderId: social }), extra)).body.folderId;
    expect(await inFolder({})).toBe(social);
    expect(await inFolder({ folderId: posted })).toBe(posted);
    expect(await inFolder({ folderId: null })).toBeNull();
    const nowhere = '0198a3c4-7b1e-7cc0-8f5e-2f5d1c9a7b10';
    expectProblem(await admin.request(FILES.jpeg, { folderId: nowhere }), 404, 'folder_not_found');
    const session = await admin.stage(uniqueJpeg());
    expectProblem(await admin.finalize(session, { folderId: nowhere }), 404, 'folder_not_found');
    expect((await admin.finalize(session)).status).toBe(201);
  });

  it('reports which asset has the same bytes, within the client only', async () => {
    const file = uniqueJpeg();
    const first = await admin.upload(file);
    expect(first.duplicateOf).toBeNull();
    expect((await admin.upload(file)).duplicateOf).toBe(first.assetId);
    const other = Uploader.admin(admin.api, await newClient(admin.api));
    expect((await other.upload(file)).duplicateOf).toBeNull();
  });

  it('checks a declared checksum, in either case of hex digits', async () => {
    const file = uniqueJpeg();
    const right = await admin.stage(file, { sha256: sha256(file.bytes).toUpperCase() });
    expect((await admin.finalize(right)).status).toBe(201);

    const session = await admin.stage(uniqueJpeg(), { sha256: sha256(file.bytes) });
    expectProblem(await admin.finalize(session), 422, 'checksum_mismatch');
    expect((await admin.status(session.sessionId)).body).toMatchObject({ status: 'pending', uploaded: true });
    // The session stays open, so the correct bytes can still be uploaded.
    expect(await put(session.uploadUrl, file.bytes)).toBe(200);
    expect((await admin.finalize(session)).body).toMatchObject({ sha256: sha256(file.bytes) });
  });

  it('issues a new URL after a pause, with the same token', async () => {
    const file = uniqueJpeg();
    const session = await admin.open(file);
    const renewed = await admin.api.post(`${admin.base}/upload-session/${session.sessionId}/renew`);
    expect(renewed.status).toBe(200);
    expect(renewed.body).toMatchObject({ sessionId: session.sessionId, status: 'pending', method: 'PUT' });
    expect(renewed.body).not.toHaveProperty('uploadToken');
    expect(Date.parse(renewed.body.expiresAt)).toBeGreaterThanOrEqual(
      Date.parse(session['expiresAt'] as string),
    );
    expect(await put(renewed.body.uploadUrl, file.bytes)).toBe(200);
    expect((await admin.finalize(session)).status).toBe(201);
    expectProblem(
      await admin.api.post(`${admin.base}/upload-session/${session.sessionId}/renew`),
      409,
      'upload_session_closed',
    );
  });

  it('cancels: the bytes are deleted, and the session can no longer be used', async () => {
    const session = await admin.stage(uniqueJpeg());
    const path = `${admin.base}/upload-session/${session.sessionId}`;
    const cancelled = await admin.api.delete(path);
    expect(cancelled).toMatchObject({ status: 200, body: { status: 'cancelled' } });
    await eventually(async () =>
      expect(await bucket.keys(stagingKey(clientId, session.sessionId))).toEqual([]),
    );
    const closed = await admin.finalize(session);
    expectProblem(closed, 409, 'upload_session_closed');
    expect(closed.body.reason).toMatchObject({ code: 'cancelled' });
    expect((await admin.api.delete(path)).status).toBe(200);
    expectProblem(await admin.api.post(`${path}/renew`), 409, 'upload_session_closed');
  });

  it('leaves nothing at the upload key once the asset exists', async () => {
    const session = await admin.stage(uniqueJpeg());
    expect((await admin.finalize(session)).status).toBe(201);
    await eventually(async () =>
      expect(await bucket.keys(stagingKey(clientId, session.sessionId))).toEqual([]),
    );
  });
});
