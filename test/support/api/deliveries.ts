import type { ApiResponse, Api } from './api.js';
import { eventually } from '../eventually.js';
import { newClient, newKey } from './people.js';
import { OWNER, query, type Service } from '../services/service.js';
import { expectStatus, type TestFile, uniqueJpeg, Uploader } from './uploads.js';
import type { StoredAttachment, WordPressMediaLibrary } from '../wordpress/wordpress-media.js';

/** Tests do not wait minutes for a retry, and several targets respond slowly at the same time. */
export const QUICK_DELIVERIES = {
  WORKER: 'inline',
  DELIVERY_CONCURRENCY: '16',
  TARGETS_ALLOW_PRIVATE: 'true',
  DELIVERY_RETRY_SECONDS: '1,1,1,1',
  DELIVERY_RECHECK_SECONDS: '1',
  DELIVERY_ANSWER_SECONDS: '2',
};

type Json = ApiResponse['body'];

/** Lasting, so that they need not be looked for often; the others may pass in a moment. */
const LASTING = ['delivered', 'failed'];
const LASTING_PAUSE_MS = 300;

/** A client with assets to deliver: its operator uploads them, its agent delivers them. */
export class DeliveringClient {
  private constructor(
    readonly service: Pick<Service, 'databaseUrl'>,
    readonly owner: Api,
    readonly agent: Api,
    readonly clientId: string,
    readonly uploader: Uploader,
  ) {}

  static async create(service: Service, owner?: Api): Promise<DeliveringClient> {
    const caller = owner ?? (await service.api.signIn(OWNER));
    const clientId = await newClient(caller);
    const { key } = await newKey(caller, { role: 'agent', clientIds: [clientId] });
    const uploader = Uploader.admin(caller, clientId);
    return new DeliveringClient(service, caller, caller.as(key), clientId, uploader);
  }

  get admin(): string {
    return `/admin/clients/${this.clientId}`;
  }

  get path(): string {
    return `/agents/clients/${this.clientId}/deliveries`;
  }

  async newTarget(body: Record<string, unknown>): Promise<string> {
    const created = expectStatus(await this.owner.post(`${this.admin}/targets`, body), 201);
    return created.targetId as string;
  }

  async newAsset(file: TestFile = uniqueJpeg(), details: object = {}): Promise<Json> {
    return this.uploader.upload(file, details);
  }

  create(assetRef: string, targetId: string, more: object = {}): Promise<ApiResponse> {
    return this.agent.post(this.path, { assetRef, targetId, surface: 'website', ...more });
  }

  /** A new delivery of a new asset. */
  async deliver(targetId: string, more: object = {}, file?: TestFile): Promise<Json> {
    const { assetRef } = await this.newAsset(file);
    return expectStatus(await this.create(assetRef, targetId, more), 202);
  }

  async get(deliveryId: string): Promise<Json> {
    return expectStatus(await this.agent.get(`${this.path}/${deliveryId}`), 200);
  }

  post(deliveryId: string, action: 'retry' | 'cancel'): Promise<ApiResponse> {
    return this.owner.post(`${this.admin}/deliveries/${deliveryId}/${action}`);
  }

  /** Waits until the delivery has this status, and returns it. */
  waitFor(deliveryId: string, status: string, withinMs = 60_000): Promise<Json> {
    const check = async () => {
      const delivery = await this.get(deliveryId);
      expect(delivery).toMatchObject({ status });
      return delivery;
    };
    return eventually(check, withinMs, LASTING.includes(status) ? LASTING_PAUSE_MS : undefined);
  }

  async usages(assetId: string): Promise<Json[]> {
    const { body } = await this.owner.get(`${this.admin}/assets/${assetId}/usages`);
    return body.usages as Json[];
  }

  /** Waits until all checks for late duplicates have run. */
  async waitUntilSettled(deliveryId: string): Promise<void> {
    const check = async () => {
      const open = await query(
        this.service.databaseUrl,
        `SELECT 1 FROM deliveries
          WHERE id = $1 AND (status IN ('queued', 'running') OR is_ambiguous OR lease_id IS NOT NULL)`,
        [deliveryId],
      );
      expect(open).toEqual([]);
    };
    await eventually(check, 30_000, LASTING_PAUSE_MS);
  }
}

/** The site's attachments of a delivery, whatever their slug is by now. */
export function attachmentsOf(media: WordPressMediaLibrary, deliveryId: string): StoredAttachment[] {
  const slug = `cal-${deliveryId.replaceAll('-', '')}`;
  return media.attachments.filter(({ fields }) => fields['slug'] === slug);
}

/** The site has the delivery exactly once and completely, and the record refers to that attachment. */
export function expectOnce(media: WordPressMediaLibrary, delivery: Json): StoredAttachment {
  const attachments = attachmentsOf(media, delivery.deliveryId as string);
  expect(
    attachments.map(({ id, bytes, fileSize, isScaled }) => [
      String(id),
      isScaled || bytes.length === fileSize,
    ]),
  ).toEqual([[delivery.remoteId, true]]);
  expect(delivery).toMatchObject({ status: 'delivered', lastError: null });
  expect(delivery.remoteUrl).toContain(`/wp-content/uploads/2026/11/${delivery.remoteId}-`);
  return attachments[0]!;
}
