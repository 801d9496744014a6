import { randomUUID } from 'node:crypto';
import { drainQueue, reconcile as reconcileNow, runJob, sweep } from '../support/services/background.js';
import { Bucket, MARKER, stagingKey } from '../support/store/bucket.js';
import { eventually } from '../support/eventually.js';
import { newClient } from '../support/api/people.js';
import { expectProblem } from '../support/api/problems.js';
import { seedAssets } from '../support/database/seed-assets.js';
import { OWNER, query, type Service, startService } from '../support/services/service.js';
import { put, uniqueJpeg, Uploader } from '../support/api/uploads.js';

describe('The sweeper', () => {
  let service: Service;
  let bucket: Bucket;
  let clientId: string;
  let admin: Uploader;
  beforeAll(async () => {
    service = await startService({
      WORKER: 'inline',
      ORPHAN_REPORT_SECONDS: '0',
      ORPHAN_REMOVE_SECONDS: '0',
    });
    bucket = new Bucket(service);
    const owner = await service.api.signIn(OWNER);
    clientId = await newClient(owner);
    admin = Uploader.admin(owner, clientId);
  });
  afterAll(async () => {
    bucket.close();
    await service.stop();
  });

  const objectOf = async (assetId: string) => {
    const [row] = await query<{ attempt: string }>(
      service.databaseUrl,
      'SELECT attempt FROM assets WHERE id = $1',
      [assetId],
    );
    return `clients/${clientId}/assets/${assetId}/${row!.attempt}`;
  };
  const backdate = (sessionId: string) =>
    query(
      service.databaseUrl,
      `UPDATE upload_sessions SET expires_at = now() - interval '1 s' WHERE id = $1`,
      [sessionId],
    );
  const remains = async (key: string) => (await bucket.keys(key)).length > 0;
  const orphan = () => `clients/${clientId}/assets/${randomUUID()}/${randomUUID()}`;
  const logged = (message: string) =>
    service
      .output()
      .split('\n')
      .filter((line) => line.includes(message));
  const reconcile = () => reconcileNow(service);

  /** As another process does; returns the key of its copy. */
  const beginFinalize = async (sessionId: string, leaseSeconds: number) => {
    const [row] = await query<{ asset_id: string; attempt: string }>(
      service.databaseUrl,
      `UPDATE upload_sessions SET status = 'finalizing', attempt = gen_random_uuid(),
           lease_until = now() + make_interval(secs => $2)
        WHERE id = $1 RETURNING asset_id, attempt`,
      [sessionId, leaseSeconds],
    );
    return `clients/${clientId}/assets/${row!.asset_id}/${row!.attempt}`;
  };

  it('keeps what has an owner, even when its deletion is queued', async () => {
    const { assetId } = await admin.upload(uniqueJpeg());
    const pending = await admin.stage(uniqueJpeg());
    const finalizing = await admin.stage(uniqueJpeg());
    const copy = await beginFinalize(finalizing.sessionId, 60);
    await bucket.write(copy, 'a copy that is being verified');
    const owned = [
      await objectOf(assetId),
      ...[pending, finalizing].map(({ sessionId }) => stagingKey(clientId, sessionId)),
      copy,
    ];
    for (const key of [...owned, `not/ours/${randomUUID()}`]) {
      await bucket.write(`not/ours/marker`, 'x');
      await runJob(service, 'delete-object', { key });
    }
    for (const key of owned) expect(await remains(key)).toBe(true);
    expect(await remains('not/ours/marker')).toBe(true);
    expect(logged('is still in use, keeping it')).toHaveLength(5);
    expect((await admin.download(assetId)).status).toBe(200);
    expect((await admin.finalize(pending)).status).toBe(201);
    await beginFinalize(finalizing.sessionId, -1);
    expect((await admin.finalize(finalizing)).status).toBe(201);
    await bucket.delete(copy);
  });

  it('deletes what a late PUT writes after the asset was created', async () => {
    const file = uniqueJpeg();
    const session = await admin.stage(file);
    expect((await admin.finalize(session)).status).toBe(201);
    const key = stagingKey(clientId, session.sessionId);
    await eventually(async () => expect(await remains(key)).toBe(false));
    expect(await put(session.uploadUrl, file.bytes)).toBe(200);
    expect(await remains(key)).toBe(true);
    // Due after the URL's expiry; brought forward here.
    await drainQueue(service);
    expect(await remains(key)).toBe(false);
  });

  it('ends expired sessions and deletes their bytes', async () => {
    const single = await admin.stage(uniqueJpeg());
    const file = uniqueJpeg();
    const parts = await admin.open(file, { multipart: true });
    expect(await put(parts['multipart'].parts[0].uploadUrl, file.bytes)).toBe(200);
    const alive = await admin.stage(uniqueJpeg());
    await backdate(single.sessionId);
    await backdate(parts.sessionId);
    await sweep(service);
    for (const { sessionId } of [single, parts]) {
      expect((await admin.status(sessionId)).body.status).toBe('expired');
      expect(await remains(stagingKey(clientId, sessionId))).toBe(false);
    }
    expect(await bucket.openMultiparts()).toEqual([]);
    expect((await admin.finalize(alive)).status).toBe(201);
  });

  it('resets a session whose holder is gone, with the copy it left', async () => {
    const session = await admin.stage(uniqueJpeg());
    const copy = await beginFinalize(session.sessionId, -1);
    await bucket.write(copy, 'left behind');
    await sweep(service);
    expect(await remains(copy)).toBe(false);
    expect((await admin.status(session.sessionId)).body).toMatchObject({ status: 'pending', uploaded: true });
  });

  it('deletes a copy that the store completes after another attempt has succeeded', async () => {
    const session = await admin.stage(uniqueJpeg());
    const copy = await beginFinalize(session.sessionId, -1);
    const { status, body } = await admin.finalize(session);
    expect(status).toBe(201);
    const deletions = () =>
      query(service.databaseUrl, `SELECT FROM graphile_worker._private_jobs WHERE payload->>'key' = $1`, [
        copy,
      ]);
    await eventually(async () => expect(await deletions()).toHaveLength(1));
    await bucket.write(copy, 'late');
    // Due an hour later; brought forward here.
    await drainQueue(service);
    expect(await remains(copy)).toBe(false);
    expect(await remains(await objectOf(body.assetId))).toBe(true);
  });

  it('deletes sessions that ended long ago, and keeps their assets and what is still open', async () => {
    const finalized = await admin.stage(uniqueJpeg());
    const { assetId } = (await admin.finalize(finalized)).body;
    const cancelled = await admin.stage(uniqueJpeg());
    await admin.api.delete(`${admin.base}/upload-session/${cancelled.sessionId}`);
    const open = await admin.stage(uniqueJpeg());
    const age = (days: number, ...sessions: { sessionId: string }[]) =>
      query(
        service.databaseUrl,
        'UPDATE upload_sessions SET expires_at = now() - make_interval(days => $1) WHERE id = ANY($2::uuid[])',
        [days, sessions.map(({ sessionId }) => sessionId)],
      );
    await drainQueue(service);
    await age(29, finalized, cancelled);
    await runJob(service, 'expire-sessions');
    expect(await admin.finalize(finalized)).toMatchObject({ status: 200, body: { assetId } });

    const running = await admin.stage(uniqueJpeg());
    await beginFinalize(running.sessionId, 600);
    await age(31, finalized, cancelled, running);
    await runJob(service, 'expire-sessions');
    for (const { sessionId } of [finalized, cancelled])
      expectProblem(await admin.status(sessionId), 404, 'upload_session_not_found');
    expectProblem(await admin.finalize(finalized), 404, 'upload_session_not_found');
    expect((await admin.download(assetId)).status).toBe(200);
    expect(await reconcile()).toMatchObject({ orphans: 0, missing: 0 });
    expect((await admin.finalize(open)).status).toBe(201);
    expect((await admin.status(running.sessionId)).body.status).toBe('finalizing');
  });

  it('finds old sessions by an index, however many are kept', async () => {
    await query(
      service.databaseUrl,
      `INSERT INTO upload_sessions (id, client_id, token_hash, status, asset_id, original_filename, mime_type,
          expected_size_bytes, url_expires_at, expires_at)
        SELECT gen_random_uuid(), $1, sha256(n::text::bytea), 'cancelled', gen_random_uuid(), 'f.jpg', 'image/jpeg', 1, now(), now()
          FROM generate_series(1, 20000) AS n`,
      [clientId],
    );
    await query(service.databaseUrl, 'ANALYZE upload_sessions');
    const plan = await query(
      service.databaseUrl,
      `EXPLAIN SELECT id FROM upload_sessions
        WHERE status IN ('finalized', 'rejected', 'cancelled', 'expired') AND expires_at < now() - make_interval(secs => 2592000)
          AND delete_upload_at IS NULL
        ORDER BY expires_at LIMIT 1000 FOR UPDATE SKIP LOCKED`,
    );
    expect(JSON.stringify(plan)).toContain('Index Scan using upload_sessions_by_end');
    const dueUploads = await query(
      service.databaseUrl,
      'EXPLAIN SELECT id FROM upload_sessions WHERE delete_upload_at <= now() ORDER BY delete_upload_at LIMIT 1000',
    );
    expect(JSON.stringify(dueUploads)).toContain('Index Scan using upload_sessions_by_upload_deletion');
    const byAsset = await query(
      service.databaseUrl,
      `EXPLAIN SELECT asset_id FROM upload_sessions WHERE asset_id = ANY($1::uuid[])`,
      [[randomUUID(), randomUUID()]],
    );
    expect(JSON.stringify(byAsset)).toContain('upload_sessions_by_asset');
    // The worker deletes them in several batches.
    await query(
      service.databaseUrl,
      `UPDATE upload_sessions SET expires_at = to_timestamp(0) WHERE original_filename = 'f.jpg'`,
    );
    await runJob(service, 'expire-sessions');
    const left = await query(
      service.databaseUrl,
      `SELECT FROM upload_sessions WHERE original_filename = 'f.jpg'`,
    );
    expect(left).toEqual([]);
  });

  describe('comparing bucket and database', () => {
    it('reports objects without an owner, and removes at most 1 % of the objects per run', async () => {
      // Background jobs of earlier tests would change the counts.
      await drainQueue(service);
      const unknown = [orphan(), orphan(), `clients/${clientId}/uploads/${randomUUID()}`];
      const foreign = ['clients/notes.txt', `clients/${clientId}/uploads/logo.png`, 'backups/dump'];
      for (const key of [...unknown, ...foreign]) await bucket.write(key, 'x');
      const few = await reconcile();
      expect(few).toMatchObject({ orphans: 3, removed: 0 });
      expect(few.seen).toBeLessThan(100);
      expect(logged('an object that no record owns')).toHaveLength(3);
      for (const key of [...unknown, ...foreign]) expect(await remains(key)).toBe(true);

      // Enough other objects that 1 % is two, and never three.
      await Promise.all(
        Array.from({ length: 200 - few.seen }, (_, index) => bucket.write(`clients/filler-${index}`, 'x')),
      );
      expect(await reconcile()).toMatchObject({ seen: 200, orphans: 3, removed: 2 });
      expect(await reconcile()).toMatchObject({ seen: 198, orphans: 1, removed: 1 });
      expect(await reconcile()).toMatchObject({ seen: 197, orphans: 0, removed: 0 });
      for (const key of unknown) expect(await remains(key)).toBe(false);
      for (const key of foreign) expect(await remains(key)).toBe(true);
      await bucket.expectEveryAssetWhole();
    });

    it.each([
      ['of another installation', randomUUID()],
      ['of nobody', null],
    ])('removes nothing from a bucket %s', async (_case, marker) => {
      const own = await bucket.read(MARKER);
      const key = orphan();
      await bucket.write(key, 'x');
      if (marker) await bucket.write(MARKER, marker);
      else await bucket.delete(MARKER);
      expect(await reconcile()).toMatchObject({ orphans: 1, removed: 0 });
      expect(await remains(key)).toBe(true);
      await bucket.write(MARKER, own);
      expect(await reconcile()).toMatchObject({ orphans: 1, removed: 1 });
    });

    it('deletes nothing through the queue either while the bucket is marked by another installation', async () => {
      const own = await bucket.read(MARKER);
      const survives = async () => {
        const key = orphan();
        await bucket.write(key, 'x');
        await runJob(service, 'delete-object', { key });
        return remains(key);
      };
      expect(await survives()).toBe(false);
      const { sessionId } = await admin.stage(uniqueJpeg());
      // The service checks the owner of the bucket every two seconds.
      await bucket.write(MARKER, randomUUID());
      await eventually(async () => expect(await survives()).toBe(true));
      expect((await admin.api.delete(`${admin.base}/upload-session/${sessionId}`)).status).toBe(200);
      await runJob(service, 'delete-uploads');
      expect(await remains(stagingKey(clientId, sessionId))).toBe(true);
      await bucket.write(MARKER, own);
      await eventually(async () => expect(await survives()).toBe(false));
      await runJob(service, 'delete-uploads');
      expect(await remains(stagingKey(clientId, sessionId))).toBe(false);
    });

    it('raises an alarm for an asset without its object, and keeps the record', async () => {
      const { assetId } = await admin.upload(uniqueJpeg());
      await drainQueue(service);
      expect(await reconcile()).toMatchObject({ missing: 0 });
      await bucket.delete(await objectOf(assetId));
      expect(await reconcile()).toMatchObject({ missing: 1 });
      const alarm = logged('"alarm":"object_missing"').map((line) => JSON.parse(line) as object);
      expect(alarm).toEqual([expect.objectContaining({ assetId, clientId })]);
      expect((await admin.api.get(`${admin.base}/${assetId}`)).status).toBe(200);
    });

    it('stops after 200 missing objects', async () => {
      await seedAssets(
        service.databaseUrl,
        clientId,
        Array.from({ length: 300 }, () => ({})),
      );
      expect(await reconcile()).toMatchObject({ missing: 200 });
      expect(logged('"alarm":"objects_missing"')).toHaveLength(1);
    });
  });
});
