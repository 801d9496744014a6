import { Injectable } from '@nestjs/common';
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { toAssetRef } from '../../../common/asset-ref.js';
import type { ClientScope } from '../../../access/principal.js';
import { FairLimiter } from '../../../common/fair-limiter.js';
import { DELIVERED_RENDITIONS, type Delivery } from '../../../database/entities/delivery.entity.js';
import { CreateDeliveriesDto } from '../../../deliveries/deliveries.dto.js';
import { DeliveriesService } from '../../../deliveries/deliveries.service.js';
import { explanationOf } from '../../../targets/delivery-error.js';
import { isOpen } from '../../../deliveries/delivery.rules.js';
import { TargetsService } from '../../../targets/targets.service.js';
import { requestOf } from '../request-of.js';
import { defineTool, type Tool, type ToolCall } from '../tool.js';
import { assetRefs, clientId, surface } from '../tool-inputs.js';

const MAX_DELIVERED = 20;
const MAX_WAIT_SECONDS = 25;
const POLL_MS = 500;
/** How many calls wait at the same time, in this process and for one caller. */
const MAX_WAITING = 64;
const MAX_WAITING_PER_CALLER = 4;

class TooManyWaiting extends Error {}

const waitSeconds = z.int().min(0).max(MAX_WAIT_SECONDS).default(0).describe('For deliveries to finish');

const DELIVER_ASSETS = z.strictObject({
  clientId,
  targetId: z.string().max(100),
  assetRefs: assetRefs(MAX_DELIVERED),
  surface,
  rendition: z.enum(DELIVERED_RENDITIONS).optional(),
  waitSeconds,
});

const GET_DELIVERIES = z.strictObject({
  clientId,
  deliveryIds: z.array(z.string().max(100)).min(1).max(MAX_DELIVERED),
  waitSeconds,
});

/** Tools that send assets to targets. */
@Injectable()
export class DeliveryTools {
  private readonly waits = new FairLimiter({
    capacity: MAX_WAITING,
    perClient: MAX_WAITING_PER_CALLER,
    maxWaitMs: 0,
    full: () => new TooManyWaiting(),
  });

  constructor(
    private readonly deliveries: DeliveriesService,
    private readonly targets: TargetsService,
  ) {}

  readonly tools: readonly Tool[] = [
    defineTool({
      name: 'deliver_assets',
      description:
        'Uploads assets to a target of the client. Assets that were already delivered there are not uploaded again. States: queued, running, delivered, failed, cancelled.',
      input: DELIVER_ASSETS,
      permission: 'deliveries:write',
      readOnly: false,
      run: async ({ assetRefs: refs, waitSeconds: seconds, clientId: client, ...request }, call) => {
        const scope = await call.scopeOf({ clientId: client });
        const batch = await requestOf(CreateDeliveriesDto, { ...request, assetRefs: refs });
        const results = await this.deliveries.createMany(scope, batch);
        const ids = results.flatMap((result) => (result.ok ? [result.delivery.id] : []));
        const current = await this.settled(scope, ids, seconds, call);
        return {
          ...(await this.warningAbout(scope, request.targetId)),
          deliveries: results.map((result) =>
            result.ok
              ? toRow(current.get(result.delivery.id)!)
              : { ref: result.assetRef, code: result.code, detail: result.detail },
          ),
        };
      },
    }),
    defineTool({
      name: 'get_deliveries',
      description: 'Returns the current status of deliveries.',
      input: GET_DELIVERIES,
      permission: 'deliveries:read',
      readOnly: true,
      run: async ({ deliveryIds, waitSeconds: seconds, ...input }, call) => {
        const current = await this.settled(await call.scopeOf(input), deliveryIds, seconds, call);
        return {
          deliveries: deliveryIds.map((id) => {
            const delivery = current.get(id);
            return delivery ? toRow(delivery) : { deliveryId: id, code: 'delivery_not_found' };
          }),
        };
      },
    }),
  ];

  /** Deliveries to a target that does not work are accepted, because they are the way to try it again. */
  private async warningAbout(scope: ClientScope, targetId: string): Promise<{ warning?: string }> {
    const target = (await this.targets.listAll(scope)).find(({ id }) => id === targetId);
    if (target === undefined || target.state === 'connected') return {};
    return { warning: `The target is in state ${target.state}. ${target.detail ?? ''}`.trim() };
  }

  /**
   * Returns the deliveries when all of them have ended or the time is up; immediately if too many calls are waiting. No connection is held
   * between two checks.
   */
  private async settled(
    scope: ClientScope,
    ids: readonly string[],
    seconds: number,
    { caller, signal }: ToolCall,
  ): Promise<Map<string, Delivery>> {
    const look = async () =>
      new Map((await this.deliveries.findMany(scope, ids)).map((one) => [one.id, one]));
    const isSettled = (found: Map<string, Delivery>) =>
      [...found.values()].every(({ status }) => !isOpen(status));
    let found = await look();
    if (seconds === 0 || isSettled(found)) return found;
    const wait = async () => {
      const end = Date.now() + seconds * 1_000;
      while (Date.now() < end && !signal.aborted && !isSettled(found)) {
        await delay(POLL_MS, undefined, { signal }).catch(() => undefined);
        found = await look();
      }
    };
    await this.waits.run({ clientId: caller.id, priority: 'interactive' }, wait).catch((error: unknown) => {
      if (!(error instanceof TooManyWaiting)) throw error;
    });
    return found;
  }
}

function toRow(delivery: Delivery) {
  const { id, assetId, status, remoteId, remoteUrl, errorCode, nextAttemptAt } = delivery;
  return {
    deliveryId: id,
    ref: toAssetRef(assetId),
    state: status,
    ...(remoteId === null ? {} : { remoteId }),
    ...(remoteUrl === null ? {} : { url: remoteUrl }),
    ...(errorCode === null ? {} : { error: `${errorCode}: ${explanationOf(delivery)}` }),
    ...(errorCode !== null && status === 'queued' ? { nextAttemptAt } : {}),
  };
}
