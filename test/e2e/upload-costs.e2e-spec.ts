import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { MeteredProxy } from '../support/faults/metered-proxy.js';
import { newClient } from '../support/api/people.js';
import { expectProblem } from '../support/api/problems.js';
import {
  freePort,
  launchProcess,
  newSettings,
  OWNER,
  type ServiceProcess,
} from '../support/services/service.js';
import { FILES, put, sha256, type TestFile, uniqueJpeg, Uploader } from '../support/api/uploads.js';

const MB = 1_000_000;
const IMAGE_BYTES = 9 * MB;
const TEMP_BYTES = 16 * MB;

/** A valid JPEG of this size: bytes after the image's end are tolerated. */
const jpegOf = (bytes: number): TestFile => ({
  ...FILES.jpeg,
  bytes: Buffer.concat([FILES.jpeg.bytes, randomBytes(bytes - FILES.jpeg.bytes.length)]),
});

describe('What an upload can cost the server', () => {
  const folder = mkdtempSync(join(tmpdir(), 'upload-costs-'));
  let service: ServiceProcess;
  let store: MeteredProxy;
  let admin: Uploader;
  beforeAll(async () => {
    const settings = await newSettings();
    const endpoint = settings.STORAGE_ENDPOINT;
    store = await MeteredProxy.to(endpoint);
    service = await launchProcess({
      ...settings,
      STORAGE_ENDPOINT: store.via(endpoint).replace(/\/$/, ''),
      STORAGE_PUBLIC_ENDPOINT: endpoint,
      LIMIT_IMAGE_BYTES: String(IMAGE_BYTES),
      LIMIT_TEMP_BYTES: String(TEMP_BYTES),
      UPLOAD_MAX_ATTEMPTS: '3',
      TMPDIR: folder,
    });
    const owner = await service.api.signIn(OWNER);
    admin = Uploader.admin(owner, await newClient(owner));
  });
  afterAll(async () => {
    await service.stop();
    store.close();
    rmSync(folder, { recursive: true });
  });

  const statusOf = async (sessionId: string) => (await admin.status(sessionId)).body;

  it('rejects a wrong type by its first kilobyte, without downloading the file', async () => {
    const file = { ...FILES.png, bytes: randomBytes(8 * MB) };
    const session = await admin.stage(file);
    const before = store.received;
    expectProblem(await admin.finalize(session), 415, 'content_mismatch');
    expect(store.received - before).toBeLessThan(0.1 * MB);
  });

  it('rejects an image over the image limit when its session is created', async () => {
    const tooLarge = { expectedSizeBytes: IMAGE_BYTES + 1 };
    const refused = await admin.request(FILES.jpeg, tooLarge);
    expectProblem(refused, 413, 'file_too_large');
    expect(refused.body.detail).toContain(String(IMAGE_BYTES));
    expect((await admin.request(FILES.mp4, tooLarge)).status).toBe(201);
    expect((await admin.request(FILES.jpeg, { expectedSizeBytes: IMAGE_BYTES })).status).toBe(201);
  });

  it('rejects an image over the limit whose session was created with a higher one', async () => {
    const session = await admin.stage(jpegOf(MB));
    const stricter = await service.another({ TMPDIR: undefined, LIMIT_IMAGE_BYTES: '500000' });
    try {
      const uploader = new Uploader(admin.api.at(stricter.url), admin.base);
      expectProblem(await uploader.finalize(session), 422, 'media_invalid');
      expect((await statusOf(session.sessionId)).status).toBe('rejected');
    } finally {
      await stricter.stop();
    }
  });

  it('compares the declared checksum before it decodes the image', async () => {
    const damaged = { ...FILES.jpeg, bytes: FILES.jpeg.bytes.subarray(0, 20_000) };
    const session = await admin.stage(damaged, { sha256: sha256(Buffer.from('another file')) });
    expectProblem(await admin.finalize(session), 422, 'checksum_mismatch');
    expect((await statusOf(session.sessionId)).status).toBe('pending');
  });

  it('rejects a session after too many failed attempts', async () => {
    const session = await admin.stage(uniqueJpeg(), { sha256: sha256(Buffer.from('another file')) });
    for (let attempt = 1; attempt <= 3; attempt += 1) {
      expect((await statusOf(session.sessionId)).status).toBe('pending');
      expectProblem(await admin.finalize(session), 422, 'checksum_mismatch');
    }
    expect(await statusOf(session.sessionId)).toMatchObject({
      status: 'rejected',
      uploaded: false,
      rejection: { code: 'too_many_attempts' },
    });
    const after = await admin.finalize(session);
    expectProblem(after, 409, 'upload_session_closed');
    expect(after.body.reason.code).toBe('too_many_attempts');
  });

  it('does not count attempts before the upload is complete, or those that fail because of an outage', async () => {
    const file = uniqueJpeg();
    const session = await admin.open(file);
    for (let attempt = 1; attempt <= 4; attempt += 1)
      expectProblem(await admin.finalize(session), 409, 'upload_incomplete');
    expect(await put(session.uploadUrl, file.bytes)).toBe(200);
    const cutOff = await service.another({
      TMPDIR: undefined,
      STORAGE_ENDPOINT: `http://127.0.0.1:${await freePort()}`,
    });
    try {
      const uploader = new Uploader(admin.api.at(cutOff.url), admin.base);
      for (let attempt = 1; attempt <= 4; attempt += 1)
        expectProblem(await uploader.finalize(session), 503, 'storage_unavailable');
    } finally {
      await cutOff.stop();
    }
    expect((await admin.finalize(session)).status).toBe(201);
  });

  it('keeps temporary files within the budget, and finalizes everything', async () => {
    const sessions = await Promise.all(Array.from({ length: 12 }, () => admin.stage(jpegOf(6 * MB))));
    let peak = 0;
    let finished = false;
    const watching = (async () => {
      for (; !finished; await delay(2)) peak = Math.max(peak, bytesBelow(folder));
    })();
    const responses = await Promise.all(sessions.map((session) => admin.finalize(session)));
    finished = true;
    await watching;
    expect(responses.map(({ status }) => status)).toEqual(sessions.map(() => 201));
    expect(peak).toBeGreaterThan(0);
    expect(peak).toBeLessThanOrEqual(TEMP_BYTES);
    expect(bytesBelow(folder)).toBe(0);
  });
});

/** Directories may disappear while they are read. */
function bytesBelow(directory: string): number {
  try {
    return readdirSync(directory, { withFileTypes: true }).reduce((sum, entry) => {
      const path = join(directory, entry.name);
      return sum + (entry.isDirectory() ? bytesBelow(path) : sizeOf(path));
    }, 0);
  } catch {
    return 0;
  }
}

function sizeOf(path: string): number {
  try {
    return statSync(path).size;
  } catch {
    return 0;
  }
}
