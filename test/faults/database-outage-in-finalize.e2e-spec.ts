import type { ApiResponse, Api } from '../support/api/api.js';
import { sampleCases } from '../support/jest/sample-cases.js';
import { drainQueue, sweep } from '../support/services/background.js';
import { eventually, Signal } from '../support/eventually.js';
import { FaultyService, STATEMENTS, STORE_STEPS } from '../support/faults/faulty-service.js';
import { newKey, newPerson } from '../support/api/people.js';
import { expectProblem } from '../support/api/problems.js';
import { query, type ServiceProcess } from '../support/services/service.js';
import { type OpenedSession, sha256, uniqueJpeg, Uploader } from '../support/api/uploads.js';

describe('When the database fails, or someone else takes over, in the middle of a finalize', () => {
  let faulty: FaultyService<ServiceProcess>;
  beforeAll(async () => {
    faulty = await FaultyService.startProcess({ UPLOAD_LEASE_SECONDS: '3', WORKER: 'inline' });
  });
  // Renditions of an earlier upload are made from the same kind of object that a finalize reads.
  beforeEach(() => drainQueue(faulty));
  afterEach(() => faulty.heal());
  afterAll(() => faulty.close());

  const assetsOf = ({ sessionId }: OpenedSession) =>
    query<{ id: string }>(faulty.databaseUrl, 'SELECT id FROM assets WHERE session_id = $1', [sessionId]);
  const expectUnavailable = (response: ApiResponse) => {
    expectProblem(response, 503, 'database_unavailable');
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
  };
  const finalizeAgain = (session: OpenedSession) =>
    eventually(async () => {
      const response = await faulty.uploader.finalize(session);
      expect([200, 201]).toContain(response.status);
      return response;
    });

  it.each(sampleCases(Object.keys(STATEMENTS) as (keyof typeof STATEMENTS)[], 5))(
    'its connection is lost at %s: 503, and the retry creates the asset',
    async (statement) => {
      const file = uniqueJpeg();
      const session = await faulty.uploader.stage(file);
      faulty.database.on(STATEMENTS[statement], 'cut');
      expectUnavailable(await faulty.uploader.finalize(session));
      expect(await assetsOf(session)).toEqual([]);
      expect(await finalizeAgain(session)).toMatchObject({
        status: 201,
        body: { sha256: sha256(file.bytes) },
      });
    },
  );

  it('the outcome of the commit is unknown, and it succeeded: 503, nothing is deleted, the retry returns the asset', async () => {
    const file = uniqueJpeg();
    const session = await faulty.uploader.stage(file);
    faulty.database.on(STATEMENTS.commitAsset, 'cutAfter');
    expectUnavailable(await faulty.uploader.finalize(session));
    const [asset] = await assetsOf(session);
    await sweep(faulty);
    const again = await finalizeAgain(session);
    expect(again).toMatchObject({ status: 200, body: { assetId: asset!.id } });
    expect((await faulty.uploader.download(asset!.id)).bytes.equals(file.bytes)).toBe(true);
  });

  const expectNoAssetWhen = async (caller: Api, end: () => Promise<unknown>) => {
    const uploader = new Uploader(caller, faulty.uploader.base);
    const session = await uploader.stage(uniqueJpeg());
    const before = async () => void (await end());
    faulty.store.on({ ...STORE_STEPS['copying it'], nth: 1 }, { before });
    expectProblem(await uploader.finalize(session), 401, 'unauthenticated');
    expect(await assetsOf(session)).toEqual([]);
    expect((await faulty.uploader.status(session.sessionId)).body.status).toBe('pending');
    expect((await faulty.uploader.finalize(session)).status).toBe(201);
  };

  it('the caller is deactivated meanwhile: no asset', async () => {
    const { userId, api } = await newPerson(faulty.uploader.api, { role: 'operator' });
    await expectNoAssetWhen(api, async () => {
      const response = await faulty.uploader.api.patch(`/admin/users/${userId}`, { isActive: false });
      expect(response.status).toBe(200);
    });
  });

  it.each(['revoked_at', 'expires_at'])(
    'the key or the sign-in of the caller ends meanwhile, by %s: no asset',
    async (column) => {
      const end = (table: string, where: string, id: string) => () =>
        query(faulty.databaseUrl, `UPDATE ${table} SET ${column} = now() WHERE ${where} = $1`, [id]);
      const grant = { role: 'operator', clientIds: null };
      const { keyId, key } = await newKey(faulty.uploader.api, grant);
      await expectNoAssetWhen(faulty.uploader.api.as(key), end('api_keys', 'id', keyId));
      const { userId, api } = await newPerson(faulty.uploader.api, { role: 'operator' });
      await expectNoAssetWhen(api, end('sign_ins', 'user_id', userId));
    },
  );

  it('another process takes over from one that hangs: one asset, the late one changes nothing', async () => {
    const file = uniqueJpeg();
    const session = await faulty.uploader.stage(file);
    const [reached, proceed] = [new Signal(), new Signal()];
    const before = async () => {
      reached.fire();
      await proceed.wait();
    };
    const holdTheEnd = () => faulty.database.on(STATEMENTS.finishSession, { before });
    faulty.store.on({ ...STORE_STEPS['reading the copy'], nth: 1 }, { after: holdTheEnd });
    const late = faulty.uploader.finalize(session);
    await reached.wait('the last transaction');
    // The whole process, as on a machine that hangs: its lease is not renewed either.
    faulty.service.process.kill('SIGSTOP');
    const other = await faulty.service.another();
    try {
      const uploader = new Uploader(faulty.uploader.api.at(other.url), faulty.uploader.base);
      const taken = await eventually(async () => {
        const response = await uploader.finalize(session);
        expect(response.status).toBe(201);
        return response;
      });
      faulty.service.process.kill('SIGCONT');
      proceed.fire();
      expectProblem(await late, 409, 'finalize_in_progress');
      expect((await faulty.uploader.finalize(session)).body).toEqual(taken.body);
      await sweep(faulty);
      expect((await uploader.download(taken.body.assetId)).bytes.equals(file.bytes)).toBe(true);
      await faulty.bucket.expectEveryAssetWhole();
    } finally {
      faulty.service.process.kill('SIGCONT');
      await other.stop();
    }
  });

  it('a lease that expired is taken over once, by the request that is faster', async () => {
    const session = await faulty.uploader.stage(uniqueJpeg());
    await query(
      faulty.databaseUrl,
      `UPDATE upload_sessions SET status = 'finalizing', attempt = gen_random_uuid(), lease_until = now() WHERE id = $1`,
      [session.sessionId],
    );
    const [copying, decided] = [new Signal(), new Signal()];
    let faster: Promise<ApiResponse>;
    const overtake = async () => {
      const before = async () => {
        copying.fire();
        await decided.wait('the decision about the slower request');
      };
      faulty.store.on({ ...STORE_STEPS['copying it'], nth: 1 }, { before });
      faster = faulty.uploader.finalize(session);
      await copying.wait('the copy of the faster request');
      faulty.database.on({ statement: /COMMIT/, since: /FOR UPDATE/ }, { after: () => decided.fire() });
    };
    // The slower one has seen that the lease has expired, but has not locked the session yet.
    faulty.database.on({ statement: /FROM "upload_sessions".*FOR UPDATE/s }, { before: overtake });
    const slower = await faulty.uploader.finalize(session);
    const { status, body } = await faster!;
    expect({ faster: status, slower: slower.status }).toEqual({ faster: 201, slower: 200 });
    expect(slower.body).toEqual(body);
  });

  describe('another attempt takes over while the first one is still running', () => {
    /** Returns the second attempt once it is about to copy the upload; it continues when `proceed` fires. */
    const takeOver = async (session: OpenedSession, proceed: Signal) => {
      let isTaken = false;
      const [first] = await query<{ attempt: string }>(
        faulty.databaseUrl,
        'SELECT attempt FROM upload_sessions WHERE id = $1',
        [session.sessionId],
      );
      const before = async () => {
        isTaken = true;
        await proceed.wait('the end of the first attempt');
      };
      faulty.store.on({ ...STORE_STEPS['copying it'], nth: 1 }, { before });
      const second = faulty.uploader.finalize(session);
      await eventually(async () => {
        // Repeated, because the first attempt keeps renewing its lease. That of the second must not end.
        await query(
          faulty.databaseUrl,
          'UPDATE upload_sessions SET lease_until = now() WHERE id = $1 AND attempt = $2 AND lease_until IS NOT NULL',
          [session.sessionId, first!.attempt],
        );
        expect(isTaken).toBe(true);
      });
      return { second };
    };

    it('and the first one fails late: it ends neither the session nor the copy of the second', async () => {
      const file = uniqueJpeg();
      const session = await faulty.uploader.stage(file);
      const proceed = new Signal();
      let second: Promise<ApiResponse>;
      const before = async () => void ({ second } = await takeOver(session, proceed));
      const holdTheEnd = () => faulty.database.on(STATEMENTS.finishSession, { before });
      faulty.store.on({ ...STORE_STEPS['reading the copy'], nth: 1 }, { after: holdTheEnd });
      expectProblem(await faulty.uploader.finalize(session), 409, 'finalize_in_progress');
      proceed.fire();
      const { status, body } = await second!;
      expect({ status, code: body.code, sha256: body.sha256 }).toEqual({
        status: 201,
        sha256: sha256(file.bytes),
      });
      await sweep(faulty);
      expect((await faulty.uploader.download(body.assetId)).bytes.equals(file.bytes)).toBe(true);
    });

    it('and the first one waits for the store: it stops waiting', async () => {
      const session = await faulty.uploader.stage(uniqueJpeg());
      const [reading, proceed, forever] = [new Signal(), new Signal(), new Signal()];
      const before = async () => {
        reading.fire();
        await forever.wait();
      };
      faulty.store.on({ ...STORE_STEPS['reading the copy'], nth: 1 }, { before });
      const first = faulty.uploader.finalize(session);
      await reading.wait('the read');
      const { second } = await takeOver(session, proceed);
      expectProblem(await first, 409, 'finalize_in_progress');
      forever.fire();
      proceed.fire();
      expect((await second).status).toBe(201);
    });
  });

  it('finishes what it has begun before it stops', async () => {
    const session = await faulty.uploader.stage(uniqueJpeg());
    const reached = new Signal();
    const proceed = new Signal();
    faulty.store.on(
      { ...STORE_STEPS['copying it'], nth: 1 },
      {
        before: async () => {
          reached.fire();
          await proceed.wait();
        },
      },
    );
    const response = faulty.uploader.finalize(session);
    await reached.wait('the copy');
    const stopped = faulty.service.stop();
    proceed.fire();
    expect((await response).status).toBe(201);
    expect(await stopped).toBe(0);
    expect(await assetsOf(session)).toHaveLength(1);
    faulty.service = await faulty.service.restart();
  });

  it('leaves no orphans in the end', async () => {
    await sweep(faulty);
    const unfinished = await query<{ id: string; status: string }>(
      faulty.databaseUrl,
      `SELECT id, status FROM upload_sessions WHERE status <> 'finalized'`,
    );
    expect(unfinished).toEqual([]);
    await faulty.bucket.expectNoOrphans();
  });
});
