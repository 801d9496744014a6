import { randomBytes } from 'node:crypto';
import { stagingKey } from '../support/store/bucket.js';
import { sampleCases } from '../support/jest/sample-cases.js';
import { FaultyService, STATEMENTS, STORE_STEPS } from '../support/faults/faulty-service.js';
import {
  FILES,
  type OpenedSession,
  put,
  SAMPLES,
  sha256,
  type TestFile,
  uniqueJpeg,
} from '../support/api/uploads.js';

type Step = (overwrite: () => Promise<void>) => void;

describe('Overwriting the upload through its URL, which still works', () => {
  let faulty: FaultyService;
  beforeAll(async () => {
    faulty = await FaultyService.start();
  });
  afterEach(() => faulty.heal());
  afterAll(() => faulty.close());

  const steps: Record<string, Step> = {};
  for (const [name, match] of Object.entries(STORE_STEPS)) {
    steps[`before ${name}`] = (before) => faulty.store.on({ ...match, nth: 1 }, { before });
    steps[`after ${name}`] = (after) => faulty.store.on({ ...match, nth: 1 }, { after });
  }
  steps['before the asset is inserted'] = (before) => faulty.database.on(STATEMENTS.insertAsset, { before });
  steps['before the asset is committed'] = (before) => faulty.database.on(STATEMENTS.commitAsset, { before });
  steps['after the asset is committed'] = (after) => faulty.database.on(STATEMENTS.commitAsset, { after });

  const overwriteAt = (step: Step, session: OpenedSession, bytes: Buffer) => {
    const overwritten = { times: 0 };
    step(async () => {
      expect(await put(session.uploadUrl, bytes)).toBe(200);
      overwritten.times++;
    });
    return overwritten;
  };

  /** The record matches the bytes, and neither changes, whatever is written to the upload's key afterwards. */
  const expectUnchanging = async (session: OpenedSession, asset: { assetId: string; sha256: string }) => {
    for (const later of [null, randomBytes(FILES.jpeg.bytes.length + 36)]) {
      if (later) await faulty.bucket.write(stagingKey(faulty.clientId, session.sessionId), later);
      const { bytes } = await faulty.uploader.download(asset.assetId);
      expect(sha256(bytes)).toBe(asset.sha256);
      expect((await faulty.uploader.finalize(session)).body).toMatchObject({ sha256: asset.sha256 });
    }
  };

  it.each(sampleCases(Object.keys(steps), 3))(
    '%s, with another picture: the asset is one of the two',
    async (name) => {
      const [first, second] = [uniqueJpeg(), uniqueJpeg()];
      const session = await faulty.uploader.stage(first);
      const overwritten = overwriteAt(steps[name]!, session, second.bytes);
      const { status, body: asset } = await faulty.uploader.finalize(session);
      expect({ status, ...overwritten }).toEqual({ status: 201, times: 1 });
      const isLate = name !== 'before copying it';
      expect(asset.sha256).toBe(sha256((isLate ? first : second).bytes));
      await expectUnchanging(session, asset);
    },
  );

  it.each(sampleCases(Object.keys(steps), 3))(
    '%s, with bytes that are not a picture: never an asset of those',
    async (name) => {
      const file = uniqueJpeg();
      const session = await faulty.uploader.stage(file);
      const overwritten = overwriteAt(steps[name]!, session, randomBytes(file.bytes.length));
      const { status, body } = await faulty.uploader.finalize(session);
      expect(overwritten.times).toBe(1);
      if (status === 415) {
        expect(body.code).toBe('content_mismatch');
        return;
      }
      expect({ status, sha256: body.sha256 }).toEqual({ status: 201, sha256: sha256(file.bytes) });
      await expectUnchanging(session, body);
    },
  );

  it('with a video while the video is inspected and hashed: facts, hash and bytes belong together', async () => {
    const pad = (tag: string): TestFile => ({
      ...SAMPLES.mp4,
      // A box that readers skip, so that the two differ in bytes only.
      bytes: Buffer.concat([SAMPLES.mp4.bytes, Buffer.from([0, 0, 0, 16]), Buffer.from(`free${tag}`)]),
    });
    const [first, second] = [pad('12345678'), pad('87654321')];
    const session = await faulty.uploader.stage(first);
    const overwritten = overwriteAt(
      (after) => faulty.store.on({ method: 'GET', key: /\/assets\//, nth: 2 }, { after }),
      session,
      second.bytes,
    );
    const { status, body } = await faulty.uploader.finalize(session);
    expect({ status, ...overwritten }).toEqual({ status: 201, times: 1 });
    expect(body.sha256).toBe(sha256(first.bytes));
    expect((await faulty.uploader.download(body.assetId)).bytes.equals(first.bytes)).toBe(true);
  });
});
