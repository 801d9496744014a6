import { drainQueue, runJob } from '../support/services/background.js';
import { stagingKey } from '../support/store/bucket.js';
import { eventually } from '../support/eventually.js';
import { FaultyService } from '../support/faults/faulty-service.js';
import { query } from '../support/services/service.js';
import { type OpenedSession, put, uniqueJpeg } from '../support/api/uploads.js';

const DELETE_MANY = { method: 'POST', query: /^delete/ };

describe('Deleting the uploads of ended sessions', () => {
  let faulty: FaultyService;
  beforeAll(async () => {
    faulty = await FaultyService.start({ WORKER: 'inline' });
  });
  beforeEach(() => drainQueue(faulty));
  afterEach(() => faulty.heal());
  afterAll(() => faulty.close());

  const keyOf = ({ sessionId }: OpenedSession) => stagingKey(faulty.clientId, sessionId);
  const remaining = async (sessions: readonly OpenedSession[]) => {
    const stored = await faulty.bucket.keys(`clients/${faulty.clientId}/uploads/`);
    return sessions.filter((session) => stored.includes(keyOf(session)));
  };
  const stage = (count: number) =>
    Promise.all(Array.from({ length: count }, () => faulty.uploader.stage(uniqueJpeg())));
  const cancel = async ({ sessionId }: OpenedSession) => {
    const { status } = await faulty.uploader.api.delete(
      `${faulty.uploader.base}/upload-session/${sessionId}`,
    );
    expect(status).toBe(200);
  };
  /** Seconds until the next deletion; null after the last one. */
  const wait = async ({ sessionId }: OpenedSession) => {
    const [row] = await query<{ wait: number | null }>(
      faulty.databaseUrl,
      'SELECT extract(epoch FROM delete_upload_at - now())::int AS wait FROM upload_sessions WHERE id = $1',
      [sessionId],
    );
    return row!.wait;
  };

  it('takes few requests for many of them, however they ended', async () => {
    const sessions = await stage(12);
    const before = faulty.store.requests.length;
    for (const session of sessions.slice(0, 2))
      expect((await faulty.uploader.finalize(session)).status).toBe(201);
    await Promise.all(sessions.slice(2).map(cancel));
    await eventually(async () => expect(await remaining(sessions)).toEqual([]));
    const deletions = faulty.store.requests
      .slice(before)
      .filter(({ method, query: parameters }) => method === 'DELETE' || parameters.startsWith('delete'));
    expect(deletions.length).toBeLessThanOrEqual(3);
    // Once more when the URLs have expired, plus an hour for a PUT that is still running.
    await eventually(async () => {
      for (const session of sessions) expect(await wait(session)).toBeGreaterThan(3_600);
    });
  });

  it('deletes what is written in between when that is no longer possible, and not before', async () => {
    const [session] = await stage(1);
    await cancel(session!);
    await eventually(async () => expect(await wait(session!)).toBeGreaterThan(3_600));
    expect(await put(session!.uploadUrl, uniqueJpeg().bytes)).toBe(200);
    await runJob(faulty, 'delete-uploads');
    expect(await remaining([session!])).toHaveLength(1);
    await drainQueue(faulty);
    expect(await remaining([session!])).toEqual([]);
    expect(await wait(session!)).toBeNull();
  });

  it('deletes once more what an upload writes that began before its URL expired', async () => {
    const [session] = await stage(1);
    const expired = `UPDATE upload_sessions SET url_expires_at = now() - interval '30 minutes' WHERE id = $1`;
    await query(faulty.databaseUrl, expired, [session!.sessionId]);
    await cancel(session!);
    await eventually(async () => expect(await wait(session!)).toBeGreaterThan(1_700));
    expect(await wait(session!)).toBeLessThanOrEqual(1_800);
  });

  it('ends multipart uploads', async () => {
    const file = uniqueJpeg();
    const session = await faulty.uploader.open(file, { multipart: true });
    expect(await put(session['multipart'].parts[0].uploadUrl, file.bytes)).toBe(200);
    expect(await faulty.bucket.openMultiparts()).toHaveLength(1);
    await cancel(session);
    await eventually(async () => expect(await faulty.bucket.openMultiparts()).toEqual([]));
  });

  it('tries again later to end a multipart upload if the store does not allow it', async () => {
    const session = await faulty.uploader.open(uniqueJpeg(), { multipart: true });
    const [other] = await stage(1);
    faulty.store.on({ method: 'DELETE', query: /uploadId/ }, 'deny');
    await Promise.all([session, other!].map(cancel));
    await eventually(async () => expect(await remaining([other!])).toEqual([]));
    await eventually(async () => expect(await wait(session)).toBeGreaterThan(0));
    expect(await wait(session)).toBeLessThanOrEqual(600);
    faulty.heal();
    await drainQueue(faulty);
    expect(await faulty.bucket.openMultiparts()).toEqual([]);
  });

  it('tries again later for an upload that the store fails to delete, and deletes the others', async () => {
    const sessions = await stage(3);
    const [refused, ...others] = sessions as [OpenedSession, ...OpenedSession[]];
    faulty.store.on(DELETE_MANY, {
      respond: async (body) => {
        for (const other of others) if (body.includes(keyOf(other))) await faulty.bucket.delete(keyOf(other));
        const error = `<Error><Key>${keyOf(refused)}</Key><Code>AccessDenied</Code></Error>`;
        return `<DeleteResult>${body.includes(keyOf(refused)) ? error : ''}</DeleteResult>`;
      },
    });
    await Promise.all(sessions.map(cancel));
    await eventually(async () => {
      for (const other of others) expect(await wait(other)).toBeGreaterThan(3_600);
    });
    expect(await remaining(sessions)).toEqual([refused]);
    await eventually(async () => expect(await wait(refused)).toBeGreaterThan(0));
    expect(await wait(refused)).toBeLessThanOrEqual(600);
    faulty.heal();
    await drainQueue(faulty);
    expect(await remaining(sessions)).toEqual([]);
  });

  it('continues after an outage of the store', async () => {
    const sessions = await stage(2);
    faulty.store.on(DELETE_MANY, 'fail');
    await Promise.all(sessions.map(cancel));
    await eventually(async () => {
      for (const session of sessions) expect(await wait(session)).toBeGreaterThan(0);
    }, 30_000);
    for (const session of sessions) expect(await wait(session)).toBeLessThanOrEqual(60);
    expect(await remaining(sessions)).toHaveLength(2);
    faulty.heal();
    await drainQueue(faulty);
    expect(await remaining(sessions)).toEqual([]);
  });

  it('keeps the session until its upload is deleted', async () => {
    const [session] = await stage(1);
    await cancel(session!);
    const long = async (deleteAt: string | null) =>
      query(
        faulty.databaseUrl,
        `UPDATE upload_sessions SET expires_at = now() - interval '60 days', delete_upload_at = now() + $2::interval WHERE id = $1`,
        [session!.sessionId, deleteAt],
      );
    const kept = () =>
      query(faulty.databaseUrl, 'SELECT 1 FROM upload_sessions WHERE id = $1', [session!.sessionId]);
    await long('1 hour');
    await runJob(faulty, 'expire-sessions');
    expect(await kept()).toHaveLength(1);
    await long(null);
    await runJob(faulty, 'expire-sessions');
    expect(await kept()).toEqual([]);
  });
});
