import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { AssetsRepository } from '../../assets/assets.repository.js';
import { AuditService } from '../../audit/audit.service.js';
import { newId } from '../../common/ids.js';
import { logger } from '../../common/logging/logger.js';
import { deliveriesEnded } from '../../common/metrics/metrics.js';
import type { Config, DeliveriesConfig } from '../../config/config.js';
import { InjectConfig } from '../../config/config.token.js';
import { Database } from '../../database/database.js';
import type { Delivery } from '../../database/entities/delivery.entity.js';
import type { Target } from '../../database/entities/target.entity.js';
import { JobQueue } from '../../jobs/job-queue.js';
import { UsagesRepository } from '../../usages/usages.repository.js';
import { TargetConditions } from '../targets/target-conditions.js';
import { DeliveriesRepository } from './deliveries.repository.js';
import { DeliveryError } from './delivery-error.js';
import { deliverJob, deliverKey, settleJob, settleKey } from './delivery-jobs.js';
import { afterFailure, afterLostWorker, type NextTry } from './delivery.rules.js';
import type { Arrival, Sender } from './senders/sender.js';

/** A delivery that this process has claimed until `release`. */
export interface HeldDelivery {
  readonly delivery: Delivery & { leaseId: string };
  /** Whether the job that runs it was queued for it. */
  readonly ownsJob: boolean;
  /** Aborted when the lease is lost or cannot be renewed in time. */
  readonly signal: AbortSignal;
  release(): void;
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
    private readonly targets: TargetConditions,
    private readonly audit: AuditService,
    private readonly queue: JobQueue,
    @InjectConfig() config: Config,
  ) {
    this.config = config.deliveries;
  }

  /** Null if there is nothing to do now. If the delivery is due later, a job is queued. */
  async take(id: string, ownsJob: boolean): Promise<HeldDelivery | null> {
    const leaseId = newId();
    const taken = await this.database.transaction(async (manager) => {
      let delivery = await this.deliveries.lockById(id, manager);
      if (delivery?.status === 'running') {
        const silentSeconds = delivery.silentSeconds ?? 0;
        if (silentSeconds < this.config.leaseSeconds) {
          await this.queue.add(manager, deliverJob(delivery, this.config.leaseSeconds - silentSeconds));
          return null;
        }
        await this.failLostAttempt(manager, delivery, silentSeconds);
        delivery = await this.deliveries.lock(delivery, id, manager);
      }
      if (delivery?.status !== 'queued') return null;
      if (delivery.dueInSeconds > 0) {
        await this.queue.add(manager, deliverJob(delivery, delivery.dueInSeconds));
        return null;
      }
      await this.deliveries.start(delivery, leaseId, manager);
      return { ...delivery, attempts: delivery.attempts + 1, leaseId };
    });
    return taken && this.hold(taken, ownsJob);
  }

  /** Records that bytes are about to be sent. */
  async announce({ delivery }: HeldDelivery, sizeBytes: number): Promise<void> {
    if (!(await this.deliveries.announce(delivery, delivery.leaseId, sizeBytes))) throw new LeaseLostError();
  }

  /** Status, usage and audit event are one transaction. */
  async recordSuccess({ delivery, ownsJob }: HeldDelivery, target: Target, arrival: Arrival): Promise<void> {
    await this.database.transaction(async (manager) => {
      if (!(await this.deliveries.setDelivered(delivery, delivery.leaseId, arrival, manager)))
        throw new LeaseLostError();
      await this.recordArrival(manager, delivery, target, arrival);
      await this.targets.record(manager, target, { state: 'connected', detail: null });
      if (!ownsJob) await this.queue.remove(deliverKey(delivery.id), manager);
      if (mayHaveDuplicates(delivery, arrival) || arrival.isMarked)
        await this.queue.add(manager, settleJob(delivery, this.config.recheckSeconds));
    });
    this.report(delivery, 'delivered');
  }

  /** Removes the marker now instead of in the final check, unless that check still needs it. Never fails: the check follows anyway. */
  async unmark(delivery: Delivery, sender: Sender, arrival: Arrival, signal: AbortSignal): Promise<void> {
    if (!arrival.isMarked || mayHaveDuplicates(delivery, arrival)) return;
    try {
      await sender.unmark(delivery, arrival.remoteId!, signal);
      await this.queue.remove(settleKey(delivery.id), this.database.manager);
    } catch (error) {
      logger.info({ deliveryId: delivery.id, err: error }, 'could not remove the marker of a delivery yet');
    }
  }

  /** For a failed delivery whose upload was found later. False if it has been retried or delivered since. */
  async recordLateSuccess(delivery: Delivery, target: Target, arrival: Arrival): Promise<boolean> {
    const isChanged = await this.database.transaction(async (manager) => {
      const current = await this.deliveries.lock(delivery, delivery.id, manager);
      if (current?.status !== 'failed') return false;
      await this.deliveries.setDelivered(delivery, null, arrival, manager);
      await this.recordArrival(manager, delivery, target, arrival);
      return true;
    });
    if (isChanged) this.report(delivery, 'delivered');
    return isChanged;
  }

  /** `target`: null if the attempt did not get that far. */
  async recordFailure(
    { delivery, ownsJob }: HeldDelivery,
    target: Target | null,
    error: DeliveryError,
  ): Promise<void> {
    const next = afterFailure(delivery.failures, error, this.config.retrySeconds);
    const isRecorded = await this.database.transaction(async (manager) => {
      if (!(await this.writeFailure(manager, delivery, next, error))) return false;
      if (target !== null && error.isOfTarget)
        await this.targets.record(manager, target, { state: 'error', detail: error.reason });
      if (!ownsJob && next.status === 'failed') await this.queue.remove(deliverKey(delivery.id), manager);
      return true;
    });
    if (isRecorded) this.report(delivery, next.status === 'failed' ? 'failed' : 'will_retry', error, next);
  }

  private async failLostAttempt(
    manager: EntityManager,
    delivery: Delivery,
    silentSeconds: number,
  ): Promise<void> {
    const wasSending = delivery.isSending;
    const next = afterLostWorker(delivery.failures, { wasSending, silentSeconds }, this.config.retrySeconds);
    const error = new DeliveryError('interrupted', wasSending ? 'upload' : 'prepare', {
      ambiguous: wasSending,
    });
    await this.writeFailure(manager, delivery as Delivery & { leaseId: string }, next, error);
  }

  private async writeFailure(
    manager: EntityManager,
    delivery: Delivery & { leaseId: string },
    next: NextTry,
    error: DeliveryError,
  ): Promise<boolean> {
    const isAmbiguous = delivery.isAmbiguous || error.ambiguous;
    const after = { ...next, isAmbiguous };
    if (!(await this.deliveries.setFailure(delivery, delivery.leaseId, after, error, manager))) return false;
    if (next.status === 'queued') {
      await this.queue.add(manager, deliverJob(delivery, next.delaySeconds));
      return true;
    }
    if (isAmbiguous) await this.queue.add(manager, settleJob(delivery, this.config.recheckSeconds));
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

  private hold(delivery: Delivery & { leaseId: string }, ownsJob: boolean): HeldDelivery {
    const lost = new AbortController();
    const { leaseSeconds } = this.config;
    // Without the database the lease expires, and by then our upload must no longer occupy the target.
    let renewedAt = performance.now();
    const renew = async () => {
      const isHeld = await this.deliveries.heartbeat(delivery, delivery.leaseId).catch(() => null);
      if (isHeld === true) renewedAt = performance.now();
      else if (isHeld === false || performance.now() - renewedAt > (leaseSeconds * 1000) / 2) lost.abort();
    };
    const timer = setInterval(() => void renew(), (leaseSeconds * 1000) / 6);
    return { delivery, ownsJob, signal: lost.signal, release: () => clearInterval(timer) };
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

/** Another worker has taken over the delivery, or it was cancelled. This worker must stop. */
export class LeaseLostError extends Error {
  constructor() {
    super('The delivery is no longer held by this worker.');
    this.name = 'LeaseLostError';
  }
}
