import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { firstIdAt } from '../../src/common/ids.js';
import type { Api } from '../support/api/api.js';
import { Bucket, MARKER } from '../support/store/bucket.js';
import { cli, startCli } from '../support/services/cli.js';
import { copyDatabase } from '../support/database/copy-database.js';
import { eventually } from '../support/eventually.js';
import { FaultProxy } from '../support/faults/fault-proxy.js';
import { newClient } from '../support/api/people.js';
import { OWNER, query, type Service, startService } from '../support/services/service.js';
import { FILES, type OpenedSession, type TestFile, uniqueJpeg, Uploader } from '../support/api/uploads.js';

jest.setTimeout(180_000);

interface Lost {
  readonly file: TestFile;
  readonly record: Record<string, unknown> & { assetId: string; assetRef: string };
}

describe('storage:adopt, after a restored backup', () => {
  let service: Service;
  let bucket: Bucket;
  let store: FaultProxy;
  let owner: Api;
  let ours: Uploader;
  let theirs: Uploader;
  let clientId: string;
  let otherId: string;
  const lost: Lost[] = [];
  let ofOther: Lost;
  let finalizedLater: Lost;
  let open: OpenedSession;
  let purged: string;

  const sql = <T>(text: string, values: unknown[] = []) => query<T>(service.databaseUrl, text, values);
  const upload = async (uploader: Uploader, file: TestFile): Promise<Lost> => ({
    file,
    record: await uploader.upload(file),
  });
  const adopt = (...args: string[]) => cli(service.env, 'storage:adopt', ...args);
  const numberIn = (output: string, name: string) =>
    Number(new RegExp(`^${name}: (\\d+)$`, 'm').exec(output)?.[1]);
  const batches = async () => (await owner.get(`/admin/clients/${clientId}/assets/trash`)).body.items;
  const adopted = async (client = clientId) =>
    (
      await sql<{ id: string }>(
        'SELECT id FROM assets WHERE client_id = $1 AND session_id = id ORDER BY id',
        [client],
      )
    ).map(({ id }) => id);

  beforeAll(async () => {
    const settings = { RESTORE_GAP_SECONDS: '1' };
    const before = await startService(settings);
    owner = await before.api.signIn(OWNER);
    [clientId, otherId] = [await newClient(owner), await newClient(owner)];
    const uploaderOf = (id: string) => Uploader.admin(owner, id);
    const files = [uniqueJpeg(), uniqueJpeg()];
    const named = await uploaderOf(clientId).stage({ ...files[0]!, name: 'Harbour at dawn.jpg' });
    open = await uploaderOf(clientId).stage(uniqueJpeg());
    purged = (await uploaderOf(clientId).upload(files[1]!)).assetId;
    await before.stop();
    const backup = await copyDatabase(before.databaseUrl);

    const lastDay = await before.restart();
    await delay(1_500);
    owner = await lastDay.api.signIn(OWNER);
    ofOther = await upload(uploaderOf(otherId), uniqueJpeg());
    for (const file of [...Object.values(FILES), uniqueJpeg()])
      lost.push(await upload(uploaderOf(clientId), file));
    await uploaderOf(await newClient(owner)).upload(uniqueJpeg());
    finalizedLater = { file: files[0]!, record: (await uploaderOf(clientId).finalize(named)).body };
    await lastDay.stop();

    store = await FaultProxy.to(before.env['STORAGE_ENDPOINT']!);
    service = await before.restart({ DATABASE_URL: backup, STORAGE_ENDPOINT: store.endpoint });
    bucket = new Bucket(service);
    owner = await service.api.signIn(OWNER);
    [ours, theirs] = [uploaderOf(clientId), uploaderOf(otherId)];
    // A copy that a killed finalize left, an attempt that lost, a damaged file, and an object of an asset that was purged.
    const [{ asset_id: openAsset } = { asset_id: '' }] = await sql<{ asset_id: string }>(
      'SELECT asset_id FROM upload_sessions WHERE id = $1',
      [open.sessionId],
    );
    await sql('DELETE FROM assets WHERE id = $1', [purged]);
    for (const key of [
      `${openAsset}/${randomUUID()}`,
      `${lost[0]!.record.assetId}/${firstIdAt(0)}`,
      `${randomUUID()}/${randomUUID()}`,
    ])
      await bucket.write(`clients/${clientId}/assets/${key}`, 'not a picture');
  });
  afterAll(async () => {
    bucket.close();
    await service.stop();
    await store.close();
  });

  it('is suggested by storage:reconcile, which recognizes the restored backup immediately', async () => {
    const { code, output } = await cli(service.env, 'storage:reconcile');
    expect(code).toBe(0);
    expect(output).toMatch(/^restored: true$/m);
    expect(numberIn(output, 'unrecorded')).toBeGreaterThanOrEqual(lost.length + 4);
    expect(numberIn(output, 'removed')).toBe(0);
    expect(output).toContain('npm run cli -- storage:adopt');
  });

  it('counts by default, changes nothing, and names what it cannot adopt', async () => {
    const { code, output } = await adopt();
    expect(code).toBe(0);
    // All types, one more, and the damaged one. The open upload, and the one that the backup considers open, are left alone.
    expect(output).toContain(`${clientId}: ${lost.length + 1} without a record`);
    expect(output).toContain(`${otherId}: 1 without a record`);
    expect(output).toMatch(/: 1 of an unknown client; to adopt them, create a client with this id$/m);
    expect(numberIn(output, 'files')).toBe(lost.length + 2);
    expect(output).toContain('Nothing was changed');
    expect(await adopted()).toEqual([]);
  });

  it('refuses a bucket of another installation, and an unknown client', async () => {
    const own = await bucket.read(MARKER);
    await bucket.write(MARKER, randomUUID());
    const refused = await adopt('--apply');
    await bucket.write(MARKER, own);
    expect(refused).toEqual({ code: 1, output: expect.stringContaining('may belong to another one') });
    expect(await adopt('--client', 'nobody')).toEqual({
      code: 1,
      output: 'There is no client with the id nobody.\n',
    });
    expect(await adopted()).toEqual([]);
  });

  it('adopts only for the given client, and what it adopted never hides that the backup was restored', async () => {
    const { code, output } = await adopt('--client', otherId, '--apply');
    expect({ code, adopted: numberIn(output, 'adopted') }).toEqual({ code: 0, adopted: 1 });
    expect(await adopted()).toEqual([]);
    expect(await adopted(otherId)).toEqual([ofOther.record.assetId]);
    await sql('UPDATE assets SET created_at = now() WHERE session_id = id');
    expect((await cli(service.env, 'storage:reconcile')).output).toMatch(/^restored: true$/m);
  });

  it('reports files that cannot be read', async () => {
    store.on(
      { method: 'GET', key: new RegExp(`^clients/${clientId}/assets/${lost[1]!.record.assetId}`) },
      'deny',
    );
    const { code, output } = await adopt('--client', clientId, '--apply');
    store.heal();
    expect({ code, failed: numberIn(output, 'failed'), rejected: numberIn(output, 'rejected') }).toEqual({
      code: 1,
      failed: 1,
      rejected: 1,
    });
    expect(output).toContain('Run the command again');
    expect(await adopted()).toHaveLength(lost.length - 1);
    for (const table of ['assets', 'trash_batches'])
      await sql(`DELETE FROM ${table} WHERE client_id = $1`, [clientId]);
  });

  it('can be killed, and run twice at the same time: one asset each, and one batch for the client', async () => {
    const last = lost.at(-1)!.record.assetId;
    store.on({ method: 'GET', key: new RegExp(`^clients/${clientId}/assets/${last}`) }, 'hang');
    const interrupted = startCli(service.env, 'storage:adopt', '--client', clientId, '--apply');
    await eventually(async () => expect((await adopted()).length).toBeGreaterThan(1));
    interrupted.kill('SIGKILL');
    await once(interrupted, 'exit');
    store.heal();
    const before = (await adopted()).length;
    expect(await batches()).toMatchObject([{ assets: before }]);

    const both = await Promise.all([
      adopt('--client', clientId, '--apply'),
      adopt('--client', clientId, '--apply'),
    ]);
    expect(both.map(({ code }) => code)).toEqual([0, 0]);
    const sum = both.reduce((total, { output }) => total + numberIn(output, 'adopted'), 0);
    expect(sum).toBe(lost.length - before);
    expect(await adopted()).toEqual(lost.map(({ record }) => record.assetId).sort());
    expect(await batches()).toMatchObject([
      { name: 'Recovered files', trashedBy: 'storage:adopt', assets: lost.length },
    ]);
    const again = await adopt('--client', clientId, '--apply');
    expect([numberIn(again.output, 'files'), numberIn(again.output, 'adopted')]).toEqual([1, 0]);
  });

  it('leaves open uploads alone', async () => {
    expect((await ours.finalize(open)).status).toBe(201);
  });

  it('remembers the name of a file whose upload was open when the backup was made, once that has expired', async () => {
    await sql(`UPDATE upload_sessions SET status = 'expired' WHERE status = 'pending'`);
    expect(numberIn((await adopt('--apply')).output, 'adopted')).toBe(1);
    const [batch] = await batches();
    expect(batch.assets).toBe(lost.length + 1);
  });

  it('puts nothing into the library that a person has not restored', async () => {
    for (const { record } of [...lost, finalizedLater])
      expect((await owner.get(`${ours.base}/${record.assetId}`)).status).toBe(404);
    const [batch] = await batches();
    expect((await owner.post(`${ours.base}/trash/restore`, { batchId: batch.batchId })).status).toBe(200);
    expect(await batches()).toEqual([]);
  });

  it('makes the same assets as an upload does, under their old references', async () => {
    const facts = ({ record }: Lost, now = record) =>
      Object.fromEntries(
        ['assetId', 'assetRef', 'mimeType', 'sizeBytes', 'sha256', 'width', 'height', 'durationMs', 'takenAt']
          .concat('placeholder', 'fitness', 'duplicateOf', 'folderId')
          .map((name) => [name, (now as Record<string, unknown>)[name]]),
      );
    for (const asset of [...lost, finalizedLater]) {
      const { body } = await owner.get(`${ours.base}/${asset.record.assetRef}`);
      expect(facts(asset, body)).toEqual(facts(asset));
      expect(
        Math.abs(Date.parse(body.createdAt) - Date.parse(String(asset.record['createdAt']))),
      ).toBeLessThan(5_000);
      const { bytes } = await ours.download(asset.record.assetId);
      expect(bytes.equals(asset.file.bytes)).toBe(true);
      const preview = await owner.fetch('GET', `${ours.base}/${asset.record.assetId}/preview`);
      expect(preview.status).toBe(200);
      await preview.arrayBuffer();
    }
    const named = (await owner.get(`${ours.base}/${finalizedLater.record.assetId}`)).body;
    expect(named).toMatchObject({ title: 'Harbour at dawn', originalFilename: 'Harbour at dawn.jpg' });
    const [first] = lost;
    const unnamed = (await owner.get(`${ours.base}/${first!.record.assetId}`)).body;
    expect(unnamed).toMatchObject({
      title: expect.stringMatching(/^Recovered \d{4}-\d\d-\d\d \d\d:\d\d$/),
      originalFilename: 'recovered.jpg',
    });
  });

  it('records each of them in the audit log, and leaves the rest as orphans', async () => {
    const { events } = (await owner.get(`/admin/clients/${clientId}/audit?limit=100`)).body;
    const ids = (events as { action: string; subjectId: string; actor: { kind: string } }[])
      .filter(({ action, actor }) => action === 'asset.adopt' && actor.kind === 'system')
      .map(({ subjectId }) => subjectId);
    for (const { record } of [...lost, finalizedLater]) expect(ids).toContain(record.assetId);
    expect(ids).not.toContain(purged);
    expect((await theirs.api.get(`/admin/clients/${otherId}/assets/trash`)).body.items).toMatchObject([
      { assets: 1 },
    ]);
    await bucket.expectEveryAssetWhole();
  });
});
