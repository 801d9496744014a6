import { Injectable } from '@nestjs/common';
import { Database } from '../database/database.js';
import type { Delivery } from '../database/entities/delivery.entity.js';
import { BucketControl } from '../storage/bucket-control.js';
import { DeliveriesRepository } from './deliveries.repository.js';
import { DeliveryAttempts, type HeldDelivery } from './delivery-attempts.js';
import { DeliveryError } from '../targets/delivery-error.js';
import { DeliveryTargets } from './delivery-targets.js';

/**
 * Runs some time after a delivery with an unknown outcome has ended: a slow site may have stored an upload twice, or stored it although the
 * delivery has failed. Also removes the marker of a delivery if that was not possible earlier.
 */
@Injectable()
export class DeliveryRecheck {
  constructor(
    private readonly database: Database,
    private readonly deliveries: DeliveriesRepository,
    private readonly attempts: DeliveryAttempts,
    private readonly targets: DeliveryTargets,
    private readonly control: BucketControl,
  ) {}

  async run(held: HeldDelivery, signal: AbortSignal): Promise<void> {
    // A copy of the database has the deliveries of the original. Without the store nobody knows which one this is.
    if (!(await this.control.mayActOutside().catch(() => false)))
      return this.attempts.postponeRecheck(held, this.control.retrySeconds);
    try {
      await this.settle(held, signal);
    } catch (error) {
      if (!(error instanceof DeliveryError)) throw error;
      await this.attempts.recordFailedRecheck(held, error);
    }
  }

  private async settle(held: HeldDelivery, signal: AbortSignal): Promise<void> {
    const { delivery } = held;
    const { target, sender } = await this.targets.open(delivery);
    const arrival = await sender.settle(delivery, await this.isWanted(delivery), signal);
    const isDelivered =
      arrival !== null &&
      (delivery.status === 'delivered' || (await this.attempts.recordLateSuccess(held, target, arrival)));
    if (isDelivered && arrival.isMarked) await sender.unmark(delivery, arrival.remoteId!, signal);
    await this.attempts.recordRecheck(held);
  }

  /** Whether to keep one copy: not if the delivery was cancelled, or if the asset was delivered by other means since it failed. */
  private async isWanted(delivery: Delivery): Promise<boolean> {
    if (delivery.status !== 'failed') return delivery.status === 'delivered';
    return (await this.deliveries.findCurrent(delivery, delivery.id, this.database.manager)) === null;
  }
}
