import { setTimeout as delay } from 'node:timers/promises';
import { MARKER } from '../support/store/bucket.js';
import { cli } from '../support/services/cli.js';
import { controlOf, Drill, expectControl, HOLD_MS } from '../support/faults/drill.js';
import { eventually } from '../support/eventually.js';
import { expectProblem } from '../support/api/problems.js';
import { restoreCopy } from '../support/database/restored-copy.js';
import { query, type Service } from '../support/services/service.js';
import { uniqueJpeg } from '../support/api/uploads.js';

jest.setTimeout(240_000);

// These look at the marker of the bucket, and speak plain HTTP.
const describeHere = process.env['TEST_STORE_BUCKET'] === undefined ? describe : describe.skip;

/** Longer than any copy would wait, with time to do harm. */
const LONG_MS = 2 * HOLD_MS + 1_500;

describeHere('A dump of a running system, restored on the same bucket', () => {
  let drill: Drill;
  let copy: Service;
  beforeAll(async () => {
    drill = await Drill.start();
    copy = await drill.copyOn(await restoreCopy(drill.production.databaseUrl));
  });
  afterAll(() => drill.close(copy));

  it('is recognized, which the log, the status and the doctor say', async () => {
    expect((await copy.api.get('/status')).body).toMatchObject({
      status: 'degraded',
      checks: { storage: 'ok', control: 'copy' },
    });
    expect(copy.output()).toContain('The database is a copy of the one that last controlled the bucket');
    const { api } = await drill.uploaderOf(copy);
    expect((await api.post('/admin/diagnostics/storage')).body.steps).toContainEqual({
      step: 'installation',
      ok: false,
      cause: expect.stringContaining('is a copy') as string,
      fix: expect.stringContaining('storage:claim') as string,
    });
    expect(await controlOf(drill.production)).toBe('ok');
  });

  it('reads and uploads, but deletes and delivers nothing', async () => {
    await drill.provoke(copy);
    await drill.expectUsable(copy);
    await delay(LONG_MS);
    await drill.provoke(copy);
    const report = await cli(copy.env, 'storage:reconcile', '--remove-unrecorded');
    expect(report.output).toMatch(/removed: 0[^]*Nothing was removed/);
    await drill.expectUntouched();
    // Postponed, without using up their retries: only one that is running at that moment has an attempt.
    await eventually(async () => {
      const jobs = await query<{ task: string; attempts: number }>(
        copy.databaseUrl,
        `SELECT DISTINCT task_identifier AS task, attempts FROM graphile_worker.jobs
          WHERE task_identifier IN ('delete-object', 'purge-trash') ORDER BY 1`,
      );
      expect(jobs).toEqual(['delete-object', 'purge-trash'].map((task) => ({ task, attempts: 0 })));
    });
    const delivery = await drill.client.agent.at(copy.url).get(`${drill.client.path}/${drill.deliveryId}`);
    expect(delivery.body).toMatchObject({ status: 'queued', attempts: 0 });
  });

  it('goes on in the original, which controls the bucket all the time', async () => {
    const production = await drill.startWork();
    await expectControl(production, 'ok');
    await drill.expectDone(production);
    await drill.expectUsable(production);
  });
});

describeHere('A process that is older than the schema of its database', () => {
  it('deletes nothing from the bucket, and still delivers', async () => {
    const drill = await Drill.start();
    await query(
      drill.production.databaseUrl,
      `INSERT INTO migrations (timestamp, name) VALUES (4000000000000, 'Newer4000000000000')`,
    );
    const production = await drill.startWork();
    await expectControl(production, 'newer_schema');
    await eventually(() => expect(drill.media.attachments).toHaveLength(1));
    await drill.provoke(production);
    await drill.expectUsable(production);
    await delay(HOLD_MS);
    const keys = await drill.bucket.keys();
    expect(keys).toEqual(expect.arrayContaining([...drill.trashed.keys, ...drill.leftovers]));

    await query(production.databaseUrl, `DELETE FROM migrations WHERE name = 'Newer4000000000000'`);
    await drill.expectDone(production);
    await drill.close();
  });
});

describeHere('With STORAGE_READ_ONLY', () => {
  it('nothing is written to the bucket, deleted from it or delivered, and everything can be read', async () => {
    const drill = await Drill.start();
    const { uploader } = drill.client;
    const staged = await uploader.stage(uniqueJpeg());
    const thumb = (service: Service) =>
      uploader.api.at(service.url).fetch('GET', `${uploader.base}/${drill.kept.assetId}/preview?size=thumb`);
    await drill.production.stop();
    const before = await drill.bucket.keys();
    const marker = await drill.bucket.read(MARKER);

    const production = await drill.startWork({ STORAGE_READ_ONLY: 'true' });
    const reader = await drill.uploaderOf(production);
    expect(await controlOf(production)).toBe('read_only');
    expectProblem(await reader.request(uniqueJpeg()), 503, 'storage_read_only');
    expectProblem(await reader.finalize(staged), 503, 'storage_read_only');
    const renewed = await reader.api.post(`${reader.base}/upload-session/${staged.sessionId}/renew`);
    expectProblem(renewed, 503, 'storage_read_only');
    // Made twice and stored never.
    const previews = await Promise.all([thumb(production), thumb(production)]);
    expect(previews.map(({ status }) => status)).toEqual([200, 200]);
    expect((await thumb(production)).status).toBe(200);
    expect((await reader.download(drill.kept.assetId)).status).toBe(200);
    const { ok, steps } = (await reader.api.post('/admin/diagnostics/storage')).body;
    expect([ok, steps.map(({ step }: { step: string }) => step)]).toEqual([
      true,
      ['settings', 'list', 'bucket', 'installation'],
    ]);
    await drill.provoke(production);
    expect((await cli(production.env, 'storage:claim')).code).toBe(1);
    await delay(LONG_MS);
    await drill.expectUntouched();
    expect(await drill.bucket.keys()).toEqual(before);
    expect(await drill.bucket.read(MARKER)).toEqual(marker);

    const writing = await drill.startWork({ STORAGE_READ_ONLY: undefined });
    expect((await (await drill.uploaderOf(writing)).finalize(staged)).status).toBe(201);
    await drill.expectDone(writing);
    await drill.close();
  });
});
