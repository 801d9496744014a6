import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { parseAssetRef } from '../common/asset-ref.js';
import { AuditService } from '../audit/audit.service.js';
import type { ClientScope } from '../access/principal.js';
import type { ProblemCode } from '../common/errors/catalogue.js';
import { Problem } from '../common/errors/problem.js';
import { isUuid, newId } from '../common/ids.js';
import { deliveriesEnded } from '../common/metrics/metrics.js';
import { decodeCursor, isUuidText, type Page, toPage } from '../common/paging/page.js';
import type { Config, DeliveriesConfig } from '../config/config.js';
import { InjectConfig } from '../config/config.token.js';
import { Database } from '../database/database.js';
import type { Delivery, DeliveryStatus } from '../database/entities/delivery.entity.js';
import { AgentAssets } from '../assets/agent-assets.js';
import { hasSurface } from '../assets/surface-gate.rules.js';
import { TargetsService } from '../targets/targets.service.js';
import type { CreateDeliveriesDto, CreateDeliveryDto, DeliveriesQuery } from './deliveries.dto.js';
import { DeliveriesRepository, type DeliveryIdentity } from './deliveries.repository.js';
import type { Asset } from '../database/entities/asset.entity.js';
import { requireFittable } from '../preview/fit-rendition.rules.js';
import { type CreatedDelivery, type DeliveryResult, identityOf, ownIdentityOf } from './delivery.rules.js';

/** What is wrong with one asset does not affect the others. */
const REFUSALS: readonly ProblemCode[] = ['unsupported_media_type', 'media_invalid'];

type DeliveryRequest = Omit<CreateDeliveryDto, 'assetRef'>;

/** The deliveries of callers. The worker does the rest. */
@Injectable()
export class DeliveriesService {
  private readonly config: DeliveriesConfig;

  constructor(
    private readonly database: Database,
    private readonly deliveries: DeliveriesRepository,
    private readonly assets: AgentAssets,
    private readonly targets: TargetsService,
    private readonly audit: AuditService,
    @InjectConfig() config: Config,
  ) {
    this.config = config.deliveries;
  }

  async create(scope: ClientScope, request: CreateDeliveryDto): Promise<CreatedDelivery> {
    const asset = await this.assets.get(scope, request.assetRef, request.surface);
    requireRendition(asset, request);
    await this.requireTarget(scope, request.targetId);
    return this.createFor(scope, asset, request);
  }

  /** Each asset once, in the order of the request. Stopped halfway, it can be repeated: what exists is not delivered again. */
  async createMany(
    scope: ClientScope,
    { assetRefs, ...request }: CreateDeliveriesDto,
  ): Promise<DeliveryResult[]> {
    const resolved = await this.assets.resolve(scope, [...new Set(assetRefs)], request.surface);
    if (resolved.some(({ ok }) => ok)) await this.requireTarget(scope, request.targetId);
    const results: DeliveryResult[] = [];
    for (const ref of resolved)
      results.push(ref.ok ? await this.tryCreate(scope, ref.asset, ref.assetRef, request) : ref);
    return results;
  }

  private async tryCreate(
    scope: ClientScope,
    asset: Asset,
    assetRef: string,
    request: DeliveryRequest,
  ): Promise<DeliveryResult> {
    try {
      requireRendition(asset, request);
    } catch (error) {
      if (!(error instanceof Problem && REFUSALS.includes(error.code))) throw error;
      return { assetRef, ok: false, code: error.code, detail: error.message };
    }
    return { assetRef, ok: true, ...(await this.createFor(scope, asset, request)) };
  }

  private async createFor(
    scope: ClientScope,
    asset: Asset,
    request: DeliveryRequest,
  ): Promise<CreatedDelivery> {
    const { targetId, surface, rendition = 'original' } = request;
    const wanted = {
      clientId: scope.clientId,
      assetId: asset.id,
      targetId,
      identity: identityOf(rendition, surface),
    };
    return this.database.transaction(async (manager) => {
      let current = await this.takeIdentity(wanted, manager);
      if (current !== null && !hasSurface(scope.actor, current.surface)) {
        // It does not exist for this caller, who gets a delivery of its own.
        wanted.identity = ownIdentityOf(wanted.identity, surface);
        current = await this.takeIdentity(wanted, manager);
      }
      const isRepeated = request.force === true && current?.status === 'delivered';
      if (current !== null && !isRepeated) return { delivery: current, isNew: false };
      const delivery = await this.deliveries.insert(
        {
          ...wanted,
          id: newId(),
          surface,
          rendition,
          title: request.title ?? asset.title,
          altText: request.altText ?? asset.altText,
          caption: request.caption ?? '',
          description: request.description ?? asset.description,
          createdBy: scope.actor.email ?? scope.actor.name,
          createdById: scope.actor.id,
        },
        manager,
      );
      await this.audit.record(manager, {
        ...scope,
        action: 'delivery.create',
        subject: ['delivery', delivery.id],
        after: { assetId: asset.id, targetId, rendition },
      });
      return { delivery, isNew: true };
    });
  }

  async get(scope: ClientScope, id: string): Promise<Delivery> {
    const delivery = isUuid(id) ? await this.deliveries.find(scope, id) : null;
    if (delivery === null) throw new Problem('delivery_not_found');
    return delivery;
  }

  /** In no particular order. Unknown ids are omitted. */
  async findMany(scope: ClientScope, ids: readonly string[]): Promise<Delivery[]> {
    return this.deliveries.findMany(scope, ids.filter(isUuid));
  }

  async list(scope: ClientScope, query: DeliveriesQuery): Promise<Page<Delivery>> {
    const { status, targetId, assetRef, cursor, limit } = query;
    const before = decodeCursor(cursor, isUuidText);
    const assetId = assetRef === undefined ? undefined : parseAssetRef(assetRef);
    if (assetId === null) throw Problem.validation('assetRef', 'must be an assetRef');
    const filter = { status, targetId, assetId };
    const rows = await this.deliveries.findPage(scope, filter, before, limit + 1);
    return toPage(rows, limit, ({ id }) => id);
  }

  /** Immediately retries a delivery that failed, was cancelled, or is waiting for its next attempt. */
  async retry(scope: ClientScope, id: string): Promise<Delivery> {
    const { targetId, status } = await this.get(scope, id);
    requireRetryable(status);
    await this.requireTarget(scope, targetId);
    return this.change(scope, id, async (manager, delivery) => {
      requireRetryable(delivery.status);
      await this.deliveries.lockIdentity(delivery, manager);
      const other = await this.deliveries.findCurrent(delivery, id, manager);
      if (other !== null) {
        const name = hasSurface(scope.actor, other.surface) ? `Delivery ${other.id}` : 'Another delivery';
        const detail = `${name} replaced it and is ${other.status}.`;
        throw new Problem('delivery_not_retryable', detail);
      }
      // The site may still be storing what the last attempt sent.
      const [pause] = this.config.retrySeconds;
      const delay = delivery.isAmbiguous ? Math.max(0, pause! - (delivery.silentSeconds ?? pause!)) : 0;
      await this.deliveries.setQueued(delivery, delay, manager);
      await this.audit.record(manager, { ...scope, action: 'delivery.retry', subject: ['delivery', id] });
    });
  }

  /** Possible until the first byte is sent. */
  async cancel(scope: ClientScope, id: string): Promise<Delivery> {
    await this.get(scope, id);
    const cancelled = await this.change(scope, id, async (manager, delivery) => {
      if (delivery.status === 'running' && delivery.isSending)
        throw new Problem('delivery_not_cancellable', 'The file is being sent.');
      if (delivery.status !== 'queued' && delivery.status !== 'running')
        throw new Problem('delivery_not_cancellable', `The delivery is ${delivery.status}.`);
      await this.deliveries.setCancelled(delivery, this.config.recheckSeconds, manager);
      await this.audit.record(manager, { ...scope, action: 'delivery.cancel', subject: ['delivery', id] });
    });
    deliveriesEnded.inc({ outcome: 'cancelled' });
    return cancelled;
  }

  private async change(
    scope: ClientScope,
    id: string,
    work: (manager: EntityManager, delivery: Delivery) => Promise<void>,
  ): Promise<Delivery> {
    return this.database.transaction(async (manager) => {
      const delivery = await this.deliveries.lock(scope, id, manager);
      if (delivery === null) throw new Problem('delivery_not_found');
      await work(manager, delivery);
      return (await this.deliveries.find(scope, id, manager))!;
    });
  }

  /** The current delivery with this identity. Until the transaction ends, nobody else can create one. */
  private async takeIdentity(wanted: DeliveryIdentity, manager: EntityManager): Promise<Delivery | null> {
    await this.deliveries.lockIdentity(wanted, manager);
    return this.deliveries.findCurrent(wanted, null, manager);
  }

  private async requireTarget(scope: ClientScope, targetId: string): Promise<void> {
    const { state } = await this.targets.get(scope, targetId);
    if (state === 'credentials_unreadable') throw new Problem('credentials_unreadable');
  }
}

function requireRendition(asset: Asset, { rendition, surface }: DeliveryRequest): void {
  if (rendition === 'fit') requireFittable(asset, surface, 'original');
}

function requireRetryable(status: DeliveryStatus): void {
  if (status === 'running' || status === 'delivered')
    throw new Problem('delivery_not_retryable', `The delivery is ${status}.`);
}
