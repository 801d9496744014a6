import { Bucket } from '../support/store/bucket.js';
import { eventually } from '../support/eventually.js';
import { newClient } from '../support/api/people.js';
import { expectProblem } from '../support/api/problems.js';
import { OWNER, type RunningService } from '../support/services/service.js';
import { sharedService } from '../support/services/shared-service.js';
import { FILES, type OpenedSession, put, sha256, type TestFile, Uploader } from '../support/api/uploads.js';

interface Part {
  partNumber: number;
  uploadUrl: string;
}

describe('Uploading in parts', () => {
  let service: RunningService;
  let admin: Uploader;
  let bucket: Bucket;
  beforeAll(async () => {
    service = await sharedService({ WORKER: 'inline' });
    bucket = new Bucket(service);
    const owner = await service.api.signIn(OWNER);
    admin = Uploader.admin(owner, await newClient(owner));
  });
  afterAll(() => bucket.close());

  /** Bytes after the end of a JPEG are tolerated: a file of three parts that decodes quickly. */
  const large: TestFile = {
    ...FILES.jpeg,
    bytes: Buffer.concat([FILES.jpeg.bytes, Buffer.alloc(17 * 1024 * 1024, 'padding')]),
  };
  const plan = (session: OpenedSession) => session['multipart'] as { partSizeBytes: number; parts: Part[] };
  const pieceOf = (session: OpenedSession, { partNumber }: Part) => {
    const { partSizeBytes } = plan(session);
    return large.bytes.subarray((partNumber - 1) * partSizeBytes, partNumber * partSizeBytes);
  };
  const putPart = async (session: OpenedSession, part: Part) => {
    const response = await fetch(part.uploadUrl, {
      method: 'PUT',
      body: new Uint8Array(pieceOf(session, part)),
    });
    expect(response.status).toBe(200);
    return { partNumber: part.partNumber, etag: response.headers.get('etag')! };
  };

  it.each([
    ['naming the parts, in any order', true],
    ['with the parts that the store lists', false],
  ])('becomes one asset, %s', async (_case, named) => {
    const session = await admin.open(large, { multipart: true, sha256: sha256(large.bytes) });
    expect(plan(session).parts.map(({ partNumber }) => partNumber)).toEqual([1, 2, 3]);
    const parts = [];
    for (const part of [...plan(session).parts].reverse()) parts.push(await putPart(session, part));
    expect((await admin.status(session.sessionId)).body.uploaded).toBe(true);
    const { status, body } = await admin.finalize(session, named ? { parts } : {});
    expect(status).toBe(201);
    expect(body).toMatchObject({ sizeBytes: large.bytes.length, sha256: sha256(large.bytes) });
    expect((await admin.finalize(session, named ? { parts } : {})).status).toBe(200);
    expect(sha256((await admin.download(body.assetId)).bytes)).toBe(body.sha256);
  });

  it.each([true, false])('waits for parts that are missing (named: %s)', async (named) => {
    const session = await admin.open(large, { multipart: true });
    const [first, second, third] = plan(session).parts as [Part, Part, Part];
    const parts = [await putPart(session, first), await putPart(session, third)];
    expect((await admin.status(session.sessionId)).body.uploaded).toBe(false);
    expectProblem(await admin.finalize(session, named ? { parts } : {}), 409, 'upload_incomplete');
    expect((await admin.status(session.sessionId)).body.status).toBe('pending');

    // Nothing is lost: the missing part can be uploaded after a pause.
    const renewed = (await admin.api.post(`${admin.base}/upload-session/${session.sessionId}/renew`)).body;
    expect(renewed.multipart.parts).toHaveLength(3);
    parts.push(await putPart(session, { ...second, uploadUrl: renewed.multipart.parts[1].uploadUrl }));
    expect((await admin.finalize(session, named ? { parts } : {})).status).toBe(201);
  });

  it('accepts no part of another size, and no made-up ETag', async () => {
    const session = await admin.open(large, { multipart: true });
    const [first] = plan(session).parts as [Part];
    expect(await put(first.uploadUrl, pieceOf(session, first).subarray(1))).toBe(403);
    const parts = [];
    for (const part of plan(session).parts) parts.push(await putPart(session, part));
    const forged = parts.map((part) => ({ ...part, etag: '"00000000000000000000000000000000"' }));
    expectProblem(await admin.finalize(session, { parts: forged }), 409, 'upload_incomplete');
    expect((await admin.finalize(session, { parts })).status).toBe(201);
  });

  it('leaves no parts behind when it is cancelled', async () => {
    const session = await admin.open(large, { multipart: true });
    await putPart(session, plan(session).parts[0]!);
    const open = async () => (await bucket.openMultiparts()).filter((key) => key.includes(session.sessionId));
    expect(await open()).toHaveLength(1);
    expect((await admin.api.delete(`${admin.base}/upload-session/${session.sessionId}`)).status).toBe(200);
    await eventually(async () => expect(await open()).toEqual([]));
  });
});
