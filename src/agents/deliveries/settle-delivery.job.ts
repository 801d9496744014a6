import { Injectable } from '@nestjs/common';
import { logger } from '../../common/logging/logger.js';
import type { Config } from '../../config/config.js';
import { InjectConfig } from '../../config/config.token.js';
import { Database } from '../../database/database.js';
import type { Delivery } from '../../database/entities/delivery.entity.js';
import { JobQueue } from '../../jobs/job-queue.js';
import { Job, type JobHandler } from '../../jobs/job.js';
import { BucketControl } from '../../storage/bucket-control.js';
import { DeliveriesRepository } from './deliveries.repository.js';
import { DeliveryAttempts } from './delivery-attempts.js';
import { DeliveryError } from './delivery-error.js';
import { SETTLE, settleJob, type SettlePayload } from './delivery-jobs.js';
import { DeliveryTargets } from './delivery-targets.js';
import { isOpen, retryDelay } from './delivery.rules.js';

/**
 * Runs some time after an upload whose response was lost: a slow site may have stored it twice, or stored it although the delivery has
 * failed. Also removes the marker of a delivery if that was not possible earlier.
 */
@Injectable()
@Job(SETTLE, { lane: 'deliveries' })
export class SettleDeliveryJob implements JobHandler<SettlePayload> {
  private readonly schedule: readonly number[];

  constructor(
    private readonly database: Database,
    private readonly deliveries: DeliveriesRepository,
    private readonly attempts: DeliveryAttempts,
    private readonly targets: DeliveryTargets,
    private readonly queue: JobQueue,
    private readonly control: BucketControl,
    @InjectConfig() config: Config,
  ) {
    this.schedule = config.deliveries.retrySeconds;
  }

  async run({ deliveryId, failures }: SettlePayload, signal: AbortSignal): Promise<void> {
    const delivery = await this.deliveries.findById(deliveryId);
    // If it is being retried, the end of that attempt queues another check.
    if (delivery === null || isOpen(delivery.status)) return;
    if (!(await this.control.mayActOutside().catch(() => false))) {
      const later = settleJob(delivery, this.control.retrySeconds, failures);
      await this.queue.add(this.database.manager, later);
      return;
    }
    try {
      await this.settle(delivery, signal);
    } catch (error) {
      if (!(error instanceof DeliveryError)) throw error;
      await this.repeat(delivery, failures + 1, error);
    }
  }

  private async settle(delivery: Delivery, signal: AbortSignal): Promise<void> {
    const { target, sender } = await this.targets.open(delivery);
    const arrival = await sender.settle(delivery, await this.isWanted(delivery), signal);
    if (arrival === null) return;
    const isDelivered =
      delivery.status === 'delivered' || (await this.attempts.recordLateSuccess(delivery, target, arrival));
    if (isDelivered && arrival.isMarked) await sender.unmark(delivery, arrival.remoteId!, signal);
  }

  /** Whether to keep one copy: not if the delivery was cancelled, or if the asset was delivered by other means since it failed. */
  private async isWanted(delivery: Delivery): Promise<boolean> {
    if (delivery.status !== 'failed') return delivery.status === 'delivered';
    return (await this.deliveries.findCurrent(delivery, delivery.id, this.database.manager)) === null;
  }

  private async repeat(delivery: Delivery, failures: number, error: DeliveryError): Promise<void> {
    const delaySeconds = error.isFinal ? null : retryDelay(this.schedule, failures);
    const facts = { deliveryId: delivery.id, targetId: delivery.targetId, code: error.code };
    if (delaySeconds === null) {
      logger.warn(facts, 'could not check a delivery for duplicates');
      return;
    }
    logger.info(
      { ...facts, retryInSeconds: delaySeconds },
      'could not look for duplicates of a delivery, will be retried',
    );
    await this.queue.add(this.database.manager, settleJob(delivery, delaySeconds, failures));
  }
}
