import { runJob } from '../services/background.js';
import { Bucket } from '../store/bucket.js';
import { attachmentsOf, DeliveringClient, QUICK_DELIVERIES } from '../api/deliveries.js';
import { eventually } from '../eventually.js';
import type { Overrides } from '../services/environment.js';
import { OWNER, query, type RunningService, type Service, startService } from '../services/service.js';
import { expectStatus, sha256, type TestFile, uniqueJpeg, Uploader } from '../api/uploads.js';
import { WordPressMediaLibrary } from '../wordpress/wordpress-media.js';

/** Control is proved every second, so that what would take minutes takes seconds. */
export const QUICK_CONTROL = { STORAGE_CONTROL_SECONDS: '1' };
export const HOLD_MS = 2_000;

/** An orphan may be removed at once. */
const EAGER = { ORPHAN_REPORT_SECONDS: '0', ORPHAN_REMOVE_SECONDS: '0', RESTORE_GAP_SECONDS: '86400' };

/**
 * A production system with something of each kind that a copy of its database could destroy or send: an asset in the trash, a staged upload
 * of a cancelled session, a leftover object and a queued delivery. It does no background work until it is told to.
 */
export class Drill {
  private constructor(
    public production: Service,
    readonly media: WordPressMediaLibrary,
    readonly client: DeliveringClient,
    readonly bucket: Bucket,
    readonly kept: { readonly assetId: string; readonly file: TestFile },
    readonly trashed: { readonly batchId: string; readonly keys: string[] },
    /** Keys that production will delete. */
    readonly leftovers: readonly string[],
    readonly deliveryId: string,
  ) {}

  static async start(overrides: Overrides = {}): Promise<Drill> {
    const production = await startService({
      ...QUICK_DELIVERIES,
      ...QUICK_CONTROL,
      ...EAGER,
      WORKER: 'off',
      ...overrides,
    });
    const media = await WordPressMediaLibrary.start();
    const client = await DeliveringClient.create(production);
    const { uploader } = client;
    const bucket = new Bucket(production);
    const file = uniqueJpeg();
    const { assetId, assetRef } = await uploader.upload(file);
    const { assetId: trashedId } = await uploader.upload(uniqueJpeg());
    const { batchId } = expectStatus(await uploader.api.delete(`${uploader.base}/${trashedId}`), 200);
    const cancelled = await uploader.stage(uniqueJpeg());
    await uploader.api.delete(`${uploader.base}/upload-session/${cancelled.sessionId}`);
    const targetId = await client.newTarget(media.site.target());
    const { deliveryId } = expectStatus(await client.create(assetRef, targetId), 202);
    return new Drill(
      production,
      media,
      client,
      bucket,
      { assetId, file },
      { batchId, keys: await bucket.keys(`clients/${client.clientId}/assets/${trashedId}/`) },
      [`clients/${client.clientId}/uploads/${cancelled.sessionId}`],
      deliveryId,
    );
  }

  async close(...copies: Service[]): Promise<void> {
    await this.media.site.stop();
    for (const service of [...copies, this.production]) await service.stop();
    this.bucket.close();
  }

  /** The same system on a copy of its database, in the same bucket. */
  copyOn(databaseUrl: string, overrides: Overrides = {}): Promise<Service> {
    return this.production.another({ WORKER: 'inline', DATABASE_URL: databaseUrl, ...overrides });
  }

  /** Does everything that would destroy or send something. */
  async provoke(service: Service): Promise<void> {
    const uploader = await this.uploaderOf(service);
    const emptied = await uploader.api.delete(`${uploader.base}/trash`, { batchId: this.trashed.batchId });
    expect([202, 204, 200, 404]).toContain(emptied.status);
    for (const key of [...this.trashed.keys, ...this.leftovers]) {
      await query(service.databaseUrl, `SELECT graphile_worker.add_job('delete-object', $1::json)`, [
        JSON.stringify({ key }),
      ]);
    }
    await runJob(service, 'delete-uploads');
    await runJob(service, 'reconcile');
  }

  async uploaderOf(service: RunningService): Promise<Uploader> {
    return Uploader.admin(await service.api.signIn(OWNER), this.client.clientId);
  }

  /** Production still has all its files, and nothing has been sent. */
  async expectUntouched(): Promise<void> {
    const keys = await this.bucket.keys();
    for (const key of [...this.trashed.keys, ...this.leftovers]) expect(keys).toContain(key);
    expect(attachmentsOf(this.media, this.deliveryId)).toEqual([]);
    expect(this.media.attachments).toEqual([]);
  }

  /** Reading and uploading go on, in a copy too. */
  async expectUsable(service: RunningService): Promise<void> {
    const uploader = await this.uploaderOf(service);
    const { status, bytes } = await uploader.download(this.kept.assetId);
    expect([status, sha256(bytes)]).toEqual([200, sha256(this.kept.file.bytes)]);
    const { assetId } = await uploader.upload(uniqueJpeg());
    expect((await uploader.download(assetId)).status).toBe(200);
    const preview = await uploader.api.fetch('GET', `${uploader.base}/${assetId}/preview?size=thumb`);
    expect(preview.status).toBe(200);
  }

  /** The one system that controls the bucket does all that was due. */
  async expectDone(service: Service): Promise<void> {
    await this.provoke(service);
    await eventually(async () => {
      const keys = await this.bucket.keys();
      for (const key of [...this.trashed.keys, ...this.leftovers]) expect(keys).not.toContain(key);
      expect(this.media.attachments).toHaveLength(1);
    });
  }

  async startWork(overrides: Overrides = {}): Promise<Service> {
    await this.production.stop();
    return (this.production = await this.production.restart({ WORKER: 'inline', ...overrides }));
  }
}

export async function controlOf(service: RunningService): Promise<string> {
  return (await service.api.get('/status')).body.checks.control as string;
}

export async function expectControl(service: RunningService, state: string): Promise<void> {
  await eventually(async () => expect(await controlOf(service)).toBe(state));
}
