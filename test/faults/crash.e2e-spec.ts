import { sweep } from '../support/services/background.js';
import { sampleCases } from '../support/jest/sample-cases.js';
import { eventually, Signal } from '../support/eventually.js';
import { FaultyService, STATEMENTS, STORE_STEPS } from '../support/faults/faulty-service.js';
import { query, type ServiceProcess } from '../support/services/service.js';
import type { StatementMatch } from '../support/faults/statement-proxy.js';
import type { StoreMatch } from '../support/faults/fault-proxy.js';
import { FILES, type OpenedSession, sha256, type TestFile, uniqueJpeg } from '../support/api/uploads.js';

const ROUNDS = Number(process.env['CRASH_ROUNDS'] ?? 1);

/** Where the process dies: right before a request to the store or a statement to the database, or right after it. */
type CrashPoint = { when: 'before' | 'after' } & ({ store: StoreMatch } | { sql: StatementMatch });

const POINTS: Record<string, CrashPoint> = {
  '(a) before the lease is taken': { when: 'before', sql: STATEMENTS.takeLease },
  '(b) after the lease is taken': { when: 'after', sql: STATEMENTS.takeLease },
  '(d) before the copy is made': { when: 'before', store: STORE_STEPS['copying it'] },
  '(d) after the copy is made': { when: 'after', store: STORE_STEPS['copying it'] },
  '(e) before the copy is read': { when: 'before', store: STORE_STEPS['reading the copy'] },
  '(e) while the copy is read': { when: 'after', store: STORE_STEPS['reading the copy'] },
  '(f) before the session is finished': { when: 'before', sql: STATEMENTS.finishSession },
  '(f) after the session is finished': { when: 'after', sql: STATEMENTS.finishSession },
  '(f) before the asset is inserted': { when: 'before', sql: STATEMENTS.insertAsset },
  '(f) after the asset is inserted': { when: 'after', sql: STATEMENTS.insertAsset },
  '(f) before the asset is committed': { when: 'before', sql: STATEMENTS.commitAsset },
  '(g) after the asset is committed, before the response': { when: 'after', sql: STATEMENTS.commitAsset },
};

describe('kill -9 in the middle of a finalize', () => {
  let faulty: FaultyService<ServiceProcess>;
  beforeAll(async () => {
    faulty = await FaultyService.startProcess({ UPLOAD_LEASE_SECONDS: '1' });
  });
  afterAll(() => faulty.close());

  /** Kills the process at the given point while it finalizes the session. True if the finalize responded before. */
  const crashAt = async (point: CrashPoint, session: OpenedSession) => {
    const reached = new Signal();
    // Never continues: the process is dead before that.
    const call = () => {
      reached.fire();
      return new Promise<void>(() => undefined);
    };
    const fault = point.when === 'before' ? { before: call } : { after: call };
    if ('store' in point) faulty.store.on({ ...point.store, nth: 1 }, fault);
    else faulty.database.on(point.sql, fault);
    const response = faulty.uploader.finalize(session).then(
      ({ status }) => status,
      () => null,
    );
    await reached.wait('the crash point');
    await faulty.crashAndRestart();
    expect(await response).toBeNull();
  };

  const finalizeAgain = (session: OpenedSession) =>
    eventually(async () => {
      const response = await faulty.uploader.finalize(session);
      expect([200, 201]).toContain(response.status);
      return response;
    });

  const expectAsset = async (session: OpenedSession, file: TestFile) => {
    const assets = await query<{ id: string; sha256: string }>(
      faulty.databaseUrl,
      'SELECT id, sha256 FROM assets WHERE session_id = $1',
      [session.sessionId],
    );
    expect(assets).toEqual([{ id: expect.any(String), sha256: sha256(file.bytes) }]);
    expect((await faulty.uploader.download(assets[0]!.id)).bytes.equals(file.bytes)).toBe(true);
  };

  for (let round = 1; round <= ROUNDS; round++) {
    it.each(sampleCases(Object.entries(POINTS), 5))(
      `%s (round ${round}): the retry creates exactly one asset`,
      async (name, point) => {
        const file = uniqueJpeg();
        const session = await faulty.uploader.stage(file);
        await crashAt(point, session);
        await faulty.bucket.expectEveryAssetWhole();
        const committed = name.startsWith('(g)');
        expect((await finalizeAgain(session)).status).toBe(committed ? 200 : 201);
        await expectAsset(session, file);
      },
    );

    it(`right after the response (round ${round}): what was acknowledged is there`, async () => {
      const file = uniqueJpeg();
      const session = await faulty.uploader.stage(file);
      const first = await faulty.uploader.finalize(session);
      await faulty.crashAndRestart();
      expect(first.status).toBe(201);
      expect((await finalizeAgain(session)).body).toEqual(first.body);
      await expectAsset(session, file);
    });

    it(`while an invalid file is being rejected (round ${round}): it is rejected anyway`, async () => {
      const session = await faulty.uploader.stage({ ...FILES.png, mimeType: 'image/jpeg' });
      await crashAt({ when: 'before', sql: { statement: /COMMIT/, since: /"rejected_code" = / } }, session);
      const again = await eventually(async () => {
        const response = await faulty.uploader.finalize(session);
        expect(response.body.code).not.toBe('finalize_in_progress');
        return response;
      });
      expect(again).toMatchObject({ status: 415, body: { code: 'content_mismatch' } });
    });

    it(`never retried (round ${round}): nothing of it is left`, async () => {
      const session = await faulty.uploader.stage(uniqueJpeg());
      await crashAt(POINTS['(d) after the copy is made']!, session);
      const path = `${faulty.uploader.base}/upload-session/${session.sessionId}`;
      await faulty.crashAndRestart({ WORKER: 'inline' });
      await eventually(async () => {
        await sweep(faulty);
        expect((await faulty.uploader.api.delete(path)).status).toBe(200);
      });
      await sweep(faulty);
      await faulty.bucket.expectNoOrphans();
      await faulty.crashAndRestart({ WORKER: 'off' });
    });
  }
});
