import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { firstIdAt } from '../../src/common/ids.js';
import { reconcile, runJob } from '../support/services/background.js';
import { Bucket, MARKER, stagingKey } from '../support/store/bucket.js';
import { cli } from '../support/services/cli.js';
import { copyDatabase } from '../support/database/copy-database.js';
import { FaultProxy } from '../support/faults/fault-proxy.js';
import { eventually } from '../support/eventually.js';
import { newClient } from '../support/api/people.js';
import { expectProblem } from '../support/api/problems.js';
import { OWNER, query, type Service, startInstallation, startService } from '../support/services/service.js';
import { put, type TestFile, uniqueJpeg, Uploader } from '../support/api/uploads.js';

jest.setTimeout(180_000);

const REFUSED = 'bucket_belongs_to_another_installation';
/** Cleans up immediately, and treats a gap of more than a second in the records as a restored backup. */
const EAGER = {
  WORKER: 'inline',
  ORPHAN_REPORT_SECONDS: '0',
  ORPHAN_REMOVE_SECONDS: '0',
  RESTORE_GAP_SECONDS: '1',
};

const uploaderFor = async (service: Service, clientId?: string) => {
  const owner = await service.api.signIn(OWNER);
  return Uploader.admin(owner, clientId ?? (await newClient(owner)));
};

/** Enough objects that 1 % of them covers everything a test could lose. */
const fill = async (bucket: Bucket) => {
  for (let start = 0; start < 400; start += 20) {
    const keys = Array.from({ length: 20 }, (_, index) => `clients/filler-${start + index}`);
    await Promise.all(keys.map((key) => bucket.write(key, 'x')));
  }
};

const expectStored = async (uploader: Uploader, assetId: string, file: TestFile) => {
  const { status, bytes } = await uploader.download(assetId);
  expect(status).toBe(200);
  expect(bytes.equals(file.bytes)).toBe(true);
};

describe('Two installations on one bucket', () => {
  let first: Service;
  let second: Service;
  let bucket: Bucket;
  let ours: Uploader;
  let theirs: Uploader;
  beforeAll(async () => {
    first = await startService(EAGER);
    // Its records leave no gap that would look like a restored backup.
    second = await startInstallation({
      ...EAGER,
      RESTORE_GAP_SECONDS: '900',
      STORAGE_BUCKET_NAME: first.bucket,
    });
    bucket = new Bucket(first);
    [ours, theirs] = [await uploaderFor(first), await uploaderFor(second)];
    await ours.upload(uniqueJpeg());
  });
  afterAll(async () => {
    bucket.close();
    await first.stop();
    await second.stop();
  });

  it('rejects uploads of the second one, and explains how to fix it', async () => {
    const refused = await theirs.request(uniqueJpeg());
    expectProblem(refused, 503, REFUSED);
    expect(refused.body.detail).toMatch(/separate bucket.*storage:claim --take-over/);
    expect((await second.api.get('/status')).body).toMatchObject({
      status: 'degraded',
      checks: { storage: 'other_installation' },
    });
    expect((await first.api.get('/status')).body.checks.storage).toBe('ok');
    const diagnosis = (await theirs.api.post('/admin/diagnostics/storage')).body;
    expect(diagnosis.steps).toContainEqual({
      step: 'installation',
      ok: false,
      cause: 'The bucket belongs to another installation, so uploads are rejected.',
      fix: expect.stringContaining('storage:claim --take-over') as string,
    });
  });

  it('transfers the bucket only on request, and neither deletes what the other one stored', async () => {
    const [own, other] = [uniqueJpeg(), uniqueJpeg()];
    const { assetId } = await ours.upload(own);
    const open = await ours.stage(uniqueJpeg());

    expect((await cli(second.env, 'storage:claim')).code).toBe(1);
    expect((await ours.request(uniqueJpeg())).status).toBe(201);
    expect((await cli(second.env, 'storage:claim', '--take-over')).output).toContain('now belongs to this');
    const { assetId: otherId } = await eventually(() => theirs.upload(other));
    await fill(bucket);
    // Even under a client id that both have, and with records that are older than these objects.
    await query(
      second.databaseUrl,
      `UPDATE upload_sessions SET id = $1, created_at = now() - interval '10 minutes' WHERE status = 'finalized'`,
      [firstIdAt(Date.now() - 600_000)],
    );
    const clientId = ours.base.split('/')[3]!;
    expect((await theirs.api.post('/admin/clients', { clientId, name: 'Same id' })).status).toBe(201);
    expect((await reconcile(second)).removed).toBe(0);
    await expectStored(ours, assetId, own);

    await eventually(async () => expectProblem(await ours.request(uniqueJpeg()), 503, REFUSED));
    expectProblem(await ours.finalize(open), 503, REFUSED);
    const renewed = await ours.api.post(`${ours.base}/upload-session/${open.sessionId}/renew`);
    expectProblem(renewed, 503, REFUSED);
    // No background job makes this one.
    const preview = () =>
      ours.api.fetch('GET', `${ours.base}/${assetId}/preview?size=large`, {
        headers: { accept: 'image/jpeg' },
      });
    const unmade = await preview();
    expect([unmade.status, await unmade.text()]).toEqual([503, expect.stringContaining(REFUSED)]);

    expect((await cli(first.env, 'storage:claim', '--take-over')).code).toBe(0);
    await eventually(async () => expect((await ours.finalize(open)).status).toBe(201));
    expect((await preview()).status).toBe(200);
    await reconcile(first);
    await expectStored(theirs, otherId, other);
  });

  it('deletes nothing of a client that the database does not know', async () => {
    const stranger = `clients/${randomUUID()}/assets/${randomUUID()}/${randomUUID()}`;
    await bucket.write(stranger, 'x');
    await runJob(first, 'delete-object', { key: stranger });
    expect((await reconcile(first)).unknownClients).toBeGreaterThan(0);
    expect(await bucket.keys(stranger)).toEqual([stranger]);
  });
});

describe('A restored backup', () => {
  it('keeps uploads that are newer than the backup until an operator decides otherwise', async () => {
    const service = await startService(EAGER);
    const bucket = new Bucket(service);
    const before = await uploaderFor(service);
    const clientId = before.base.split('/')[3]!;
    await before.upload(uniqueJpeg());
    const abandoned = await before.stage(uniqueJpeg());
    expect((await before.api.delete(`${before.base}/upload-session/${abandoned.sessionId}`)).status).toBe(
      200,
    );
    await service.stop();
    const backup = await copyDatabase(service.databaseUrl);

    const original = await service.restart();
    await delay(1_500);
    const { assetId } = await (await uploaderFor(original, clientId)).upload(uniqueJpeg());
    const [newer] = await bucket.keys(`clients/${clientId}/assets/${assetId}/`);
    await original.stop();

    const restored = await service.restart({ DATABASE_URL: backup, STORAGE_CONTROL_SECONDS: '1' });
    expect(await cli(restored.env, 'storage:claim')).toMatchObject({ code: 0 });
    await fill(bucket);
    // Left by an earlier crash: its session is recorded, so its bytes are still removed.
    const leftover = stagingKey(clientId, abandoned.sessionId);
    // The run at the start may have come before the claim; the next is up to a minute away.
    await eventually(async () => {
      await runJob({ ...restored, databaseUrl: backup }, 'delete-uploads');
      expect(await bucket.keys(leftover)).toEqual([]);
    });
    await bucket.write(leftover, 'x');
    // New records must not hide the gap.
    await (await uploaderFor(restored, clientId)).upload(uniqueJpeg());

    const report = await reconcile({ ...restored, databaseUrl: backup });
    expect(report.unrecorded).toBeGreaterThan(0);
    expect(report.restored).toBe(true);
    // A job that has just lost control of the bucket on a busy machine tries again.
    await eventually(async () => expect(await bucket.keys(leftover)).toEqual([]));
    expect(await bucket.keys(newer)).toEqual([newer]);

    const told = await cli(restored.env, 'storage:reconcile', '--remove-unrecorded');
    expect(told).toMatchObject({ code: 0 });
    expect(await bucket.keys(newer)).toEqual([]);
    bucket.close();
    await restored.stop();
  });
});

// The proxy speaks plain HTTP.
const describeOverHttp = process.env['TEST_STORE_ENDPOINT']?.startsWith('https') ? describe.skip : describe;

describeOverHttp('Claiming a bucket', () => {
  let service: Service;
  let bucket: Bucket;
  let store: FaultProxy;
  let uploader: Uploader;
  beforeAll(async () => {
    store = await FaultProxy.to(process.env['TEST_STORE_ENDPOINT']!);
    service = await startService({ WORKER: 'inline', STORAGE_ENDPOINT: store.endpoint });
    bucket = new Bucket(service);
    uploader = await uploaderFor(service);
    await bucket.delete(MARKER);
    for (const key of await bucket.keys('clients/')) await bucket.delete(key);
  });
  afterEach(() => store.heal());
  afterAll(async () => {
    bucket.close();
    await service.stop();
    await store.close();
  });

  it('retries after a failure, and ignores the probes of a running doctor', async () => {
    await bucket.write(`doctor/${randomUUID()}`, 'x');
    store.on({ method: 'PUT', key: /^installation$/ }, 'fail');
    expectProblem(await uploader.request(uniqueJpeg()), 503, 'storage_unavailable');
    store.heal();
    await uploader.upload(uniqueJpeg());
    expect(await bucket.keys(MARKER)).toEqual([MARKER]);
  });

  /** As many stores treat such a key: what is missing looks forbidden. */
  const denyListing = () => {
    store.on({ key: /^$/ }, 'deny');
    store.on({}, 'hideMissing');
  };

  it('uploads with a key that may not list the bucket, and never cleans up that bucket', async () => {
    await bucket.delete(MARKER);
    for (const key of await bucket.keys('clients/')) await bucket.delete(key);
    denyListing();
    const restarted = await service.another({ ORPHAN_REPORT_SECONDS: '0', ORPHAN_REMOVE_SECONDS: '0' });
    const limited = await uploaderFor(restarted);
    const file = uniqueJpeg();
    const { assetId } = await limited.upload(file);
    await expectStored(limited, assetId, file);

    const parts = await limited.open(file, { multipart: true });
    expect((await limited.status(parts.sessionId)).body.uploaded).toBe(false);
    expectProblem(await limited.finalize(parts), 409, 'upload_incomplete');
    expect(await put(parts['multipart'].parts[0].uploadUrl, file.bytes)).toBe(200);
    expect((await limited.finalize(parts)).status).toBe(201);
    expect((await restarted.api.get('/status')).body.checks.storage).toBe('ok');

    store.heal();
    expect((await bucket.read(MARKER)).toString()).toContain('unverified');
    await fill(bucket);
    const clientId = limited.base.split('/')[3]!;
    const orphan = `clients/${clientId}/assets/${randomUUID()}/${randomUUID()}`;
    await bucket.write(orphan, 'x');
    await service.stop();
    expect(await reconcile(restarted)).toMatchObject({ removed: 0 });
    expect(await bucket.keys(orphan)).toEqual([orphan]);
    await restarted.stop();
  });
});
