import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { AssetsRepository } from '../assets/assets.repository.js';
import { AuditService } from '../audit/audit.service.js';
import { newId } from '../common/ids.js';
import { holdLease, type Lease } from '../common/lease.js';
import { logger } from '../common/logging/logger.js';
import { deliveriesEnded } from '../common/metrics/metrics.js';
import type { Config, DeliveriesConfig } from '../config/config.js';
import { InjectConfig } from '../config/config.token.js';
import { Database } from '../database/database.js';
import type { Delivery } from '../database/entities/delivery.entity.js';
import type { Target } from '../database/entities/target.entity.js';
import { UsagesRepository } from '../usages/usages.repository.js';
import { TargetsService } from '../targets/targets.service.js';
import { DeliveriesRepository, type LeasedDelivery, type Turns } from './deliveries.repository.js';
import { DeliveryError } from '../targets/delivery-error.js';
import { afterFailure, afterLostWorker, type NextTry, retryDelay } from './delivery.rules.js';
import type { Arrival, Sender } from '../targets/sender.js';

/** A delivery that this process has claimed until `release`: it is running, or it has ended and somebody looks again at its target. */
export interface HeldDelivery extends Lease {
  readonly delivery: LeasedDelivery;
}

/** Claims deliveries and records their outcome. No connection is held while bytes are sent. */
@Injectable()
export class DeliveryAttempts {
  private readonly config: DeliveriesConfig;

  constructor(
    private readonly database: Database,
    private readonly deliveries: DeliveriesRepository,
    private readonly assets: AssetsRepository,
    private readonly usages: UsagesRepository,
    private readonly targets: TargetsService,
    private readonly audit: AuditService,
    @InjectConfig() config: Config,
  ) {
    this.config = config.deliveries;
  }

  /** Without waiting for other processes. */
  async isAnyDue(turns: Turns): Promise<boolean> {
    return (await this.deliveries.findNext(turns)) !== null;
  }

  /** The due delivery whose turn it is. Null if there is nothing to do now. */
  async take(turns: Turns): Promise<HeldDelivery | null> {
    const leaseId = newId();
    const taken = await this.database.transaction(async (manager) => {
      await this.deliveries.lockTaking(manager);
      const next = await this.deliveries.findNext(turns, manager);
      return next === null ? null : this.deliveries.take(next, leaseId, manager);
    });
    return taken && this.hold(taken);
  }

  /** Ends attempts whose worker has sent no heartbeat for the time of a lease. */
  async endLost(): Promise<void> {
    const { leaseSeconds } = this.config;
    for (const key of await this.deliveries.findLost(leaseSeconds)) {
      await this.database.transaction(async (manager) => {
        const delivery = await this.deliveries.lock(key, key.id, manager);
        const silentSeconds = delivery?.silentSeconds ?? 0;
        if (!isLeased(delivery) || silentSeconds < leaseSeconds) return;
        if (delivery.status === 'running') await this.failLostAttempt(manager, delivery, silentSeconds);
        else await this.deliveries.setRechecked(delivery, this.recheckDelay(delivery), manager);
      });
    }
  }

  /** Records that bytes are about to be sent. */
  async announce({ delivery }: HeldDelivery, sizeBytes: number): Promise<void> {
    if (!(await this.deliveries.announce(delivery, sizeBytes))) throw new LeaseLostError();
  }

  /** Status, usage and audit event are one transaction. */
  async recordSuccess({ delivery }: HeldDelivery, target: Target, arrival: Arrival): Promise<void> {
    const after = {
      recheckSeconds:
        mayHaveDuplicates(delivery, arrival) || arrival.isMarked ? this.config.recheckSeconds : null,
      keepsLease: isUnmarkedNow(delivery, arrival),
    };
    await this.database.transaction(async (manager) => {
      if (!(await this.deliveries.setDelivered(delivery, arrival, after, manager)))
        throw new LeaseLostError();
      await this.recordArrival(manager, delivery, target, arrival);
      await this.targets.recordCondition(manager, target, { state: 'connected', detail: null });
    });
    this.report(delivery, 'delivered');
  }

  /**
   * Removes the marker now instead of in the recheck, unless that still needs it. The lease is kept until then. A failure is left to the
   * recheck.
   */
  async unmark(
    { delivery }: HeldDelivery,
    sender: Sender,
    arrival: Arrival,
    signal: AbortSignal,
  ): Promise<void> {
    if (!isUnmarkedNow(delivery, arrival)) return;
    let delaySeconds: number | null = null;
    try {
      await sender.unmark(delivery, arrival.remoteId!, signal);
    } catch (error) {
      logger.info({ deliveryId: delivery.id, err: error }, 'could not remove the marker of a delivery yet');
      delaySeconds = this.config.recheckSeconds;
    }
    await this.deliveries.setRechecked(delivery, delaySeconds);
  }

  /** For a failed delivery whose upload was found later. False if it has been retried since: then that attempt finds the upload. */
  async recordLateSuccess({ delivery }: HeldDelivery, target: Target, arrival: Arrival): Promise<boolean> {
    const isChanged = await this.database.transaction(async (manager) => {
      const current = await this.deliveries.lock(delivery, delivery.id, manager);
      if (current?.status !== 'failed') return false;
      const after = { recheckSeconds: this.config.recheckSeconds, keepsLease: true };
      if (!(await this.deliveries.setDelivered(delivery, arrival, after, manager))) return false;
      await this.recordArrival(manager, delivery, target, arrival);
      return true;
    });
    if (isChanged) this.report(delivery, 'delivered');
    return isChanged;
  }

  /** The target has been looked at again, and nothing is left to do there. */
  async recordRecheck({ delivery }: HeldDelivery): Promise<void> {
    await this.deliveries.setRechecked(delivery, null);
  }

  /** Without counting as a failure. */
  async postponeRecheck({ delivery }: HeldDelivery, delaySeconds: number): Promise<void> {
    await this.deliveries.postponeRecheck(delivery, delaySeconds);
  }

  async recordFailedRecheck({ delivery }: HeldDelivery, error: DeliveryError): Promise<void> {
    const delaySeconds = error.isFinal ? null : this.recheckDelay(delivery);
    await this.deliveries.setRechecked(delivery, delaySeconds);
    const facts = { deliveryId: delivery.id, targetId: delivery.targetId, code: error.code };
    if (delaySeconds === null) logger.warn(facts, 'could not check a delivery for duplicates');
    else
      logger.info(
        { ...facts, retryInSeconds: delaySeconds },
        'could not look for duplicates of a delivery, will be retried',
      );
  }

  /** `target`: null if the attempt did not get that far. */
  async recordFailure(
    { delivery }: HeldDelivery,
    target: Target | null,
    error: DeliveryError,
  ): Promise<void> {
    const next = afterFailure(delivery.failures, error, this.config.retrySeconds);
    const isRecorded = await this.database.transaction(async (manager) => {
      if (!(await this.writeFailure(manager, delivery, next, error))) return false;
      if (target !== null && error.isOfTarget)
        await this.targets.recordCondition(manager, target, { state: 'error', detail: error.reason });
      return true;
    });
    if (isRecorded) this.report(delivery, next.status === 'failed' ? 'failed' : 'will_retry', error, next);
  }

  private recheckDelay({ failures }: Delivery): number | null {
    return retryDelay(this.config.retrySeconds, failures + 1);
  }

  private async failLostAttempt(
    manager: EntityManager,
    delivery: LeasedDelivery,
    silentSeconds: number,
  ): Promise<void> {
    const wasSending = delivery.isSending;
    const next = afterLostWorker(delivery.failures, { wasSending, silentSeconds }, this.config.retrySeconds);
    const error = new DeliveryError('interrupted', wasSending ? 'upload' : 'prepare', {
      ambiguous: wasSending,
    });
    await this.writeFailure(manager, delivery, next, error);
  }

  private async writeFailure(
    manager: EntityManager,
    delivery: LeasedDelivery,
    next: NextTry,
    error: DeliveryError,
  ): Promise<boolean> {
    const isAmbiguous = delivery.isAmbiguous || error.ambiguous;
    const end = next.status === 'failed' ? { failures: 0, delaySeconds: this.config.recheckSeconds } : null;
    const after = { ...next, ...end, isAmbiguous };
    if (!(await this.deliveries.setFailure(delivery, after, error, manager))) return false;
    if (next.status === 'queued') return true;
    await this.audit.record(manager, {
      actor: null,
      clientId: delivery.clientId,
      action: 'delivery.failed',
      subject: ['delivery', delivery.id],
      after: { code: error.code, step: error.step, detail: error.message },
    });
    return true;
  }

  private async recordArrival(
    manager: EntityManager,
    delivery: Delivery,
    target: Target,
    { remoteId, remoteUrl }: Arrival,
  ): Promise<void> {
    const { clientId, assetId, surface, createdBy, createdById } = delivery;
    // The asset may have been deleted permanently in the meantime.
    if (await this.assets.keepRow(delivery, assetId, manager)) {
      const actor = { id: createdById, name: createdBy, email: null };
      await this.usages.put(
        { clientId, actor },
        [
          {
            assetId,
            kind: 'delivery',
            externalId: delivery.id,
            surface,
            role: 'delivered',
            title: target.name,
            url: remoteUrl,
          },
        ],
        manager,
      );
    }
    await this.audit.record(manager, {
      actor: null,
      clientId,
      action: 'delivery.delivered',
      subject: ['delivery', delivery.id],
      after: { targetId: delivery.targetId, assetId, remoteId, remoteUrl },
    });
  }

  private hold(delivery: LeasedDelivery): HeldDelivery {
    const lease = holdLease(this.config.leaseSeconds, () => this.deliveries.heartbeat(delivery));
    return { delivery, ...lease };
  }

  private report(
    delivery: Delivery,
    outcome: 'delivered' | 'failed' | 'will_retry',
    error?: DeliveryError,
    next?: NextTry,
  ): void {
    deliveriesEnded.inc({ outcome });
    const { id: deliveryId, clientId, targetId, attempts } = delivery;
    const facts = { deliveryId, clientId, targetId, attempts };
    if (error === undefined) logger.info(facts, 'delivered');
    else
      logger.warn(
        {
          ...facts,
          code: error.code,
          step: error.step,
          ambiguous: error.ambiguous,
          retryInSeconds: next?.delaySeconds,
        },
        outcome === 'failed' ? 'delivery failed' : 'delivery failed, will be retried',
      );
  }
}

/** Whether the site may have stored what an attempt without a response sent. */
function mayHaveDuplicates({ isAmbiguous }: Delivery, { isDoubtful }: Arrival): boolean {
  return isAmbiguous || isDoubtful;
}

/** Whether the marker is not needed any more: no other copy can have it. */
function isUnmarkedNow(delivery: Delivery, arrival: Arrival): boolean {
  return arrival.isMarked && !mayHaveDuplicates(delivery, arrival);
}

function isLeased(delivery: Delivery | null): delivery is LeasedDelivery {
  return typeof delivery?.leaseId === 'string';
}

/** Another worker has taken over the delivery, or it was cancelled. This worker must stop. */
export class LeaseLostError extends Error {
  constructor() {
    super('The delivery is no longer held by this worker.');
    this.name = 'LeaseLostError';
  }
}
