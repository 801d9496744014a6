import { Injectable } from '@nestjs/common';
import { refusalOf } from '../resolve/surface-gate.rules.js';
import { AssetsRepository } from '../../assets/assets.repository.js';
import { databaseProblem } from '../../common/errors/database-errors.js';
import { logger } from '../../common/logging/logger.js';
import { Database } from '../../database/database.js';
import type { Delivery, DeliveryStep } from '../../database/entities/delivery.entity.js';
import type { Target } from '../../database/entities/target.entity.js';
import { JobQueue } from '../../jobs/job-queue.js';
import { Job, type JobHandler } from '../../jobs/job.js';
import { BucketControl } from '../../storage/bucket-control.js';
import { DeliveriesRepository } from './deliveries.repository.js';
import { DeliveryAttempts, type HeldDelivery, LeaseLostError } from './delivery-attempts.js';
import { DeliveryError } from './delivery-error.js';
import { DeliveryFiles } from './delivery-files.js';
import { DELIVER, deliverJob, type DeliverPayload } from './delivery-jobs.js';
import { DeliveryTargets, type OpenTarget } from './delivery-targets.js';
import type { PreparedFile } from './prepared-file.js';

const BURST_MS = 30_000;

/**
 * One attempt to deliver. Its outcome is recorded together with the job for the next attempt. The queue's own retries are only for outages.
 */
@Injectable()
@Job(DELIVER, { lane: 'deliveries' })
export class DeliverJob implements JobHandler<DeliverPayload> {
  constructor(
    private readonly deliveries: DeliveriesRepository,
    private readonly attempts: DeliveryAttempts,
    private readonly targets: DeliveryTargets,
    private readonly assets: AssetsRepository,
    private readonly files: DeliveryFiles,
    private readonly control: BucketControl,
    private readonly database: Database,
    private readonly queue: JobQueue,
  ) {}

  /**
   * Continues with other deliveries that are due at the target, because the queue looks for the next job of a target only every few
   * seconds. After a while it leaves the rest to their own jobs, so that other targets get the slot.
   */
  async run({ deliveryId, targetId }: DeliverPayload, signal: AbortSignal): Promise<void> {
    if (!(await this.mayAct())) {
      const later = deliverJob({ id: deliveryId, targetId }, this.control.retrySeconds);
      await this.queue.add(this.database.manager, later);
      return;
    }
    await this.tryOnce(deliveryId, true, signal);
    for (const end = Date.now() + BURST_MS; Date.now() < end && !signal.aborted;) {
      const next = await this.deliveries.findDue(targetId);
      if (next === null || !(await this.mayAct()) || !(await this.tryOnce(next, false, signal))) return;
    }
  }

  /** False if there was nothing to do. */
  private async tryOnce(deliveryId: string, ownsJob: boolean, signal: AbortSignal): Promise<boolean> {
    const held = await this.attempts.take(deliveryId, ownsJob);
    if (held === null) return false;
    let target: Target | null = null;
    try {
      const open = await this.targets.open(held.delivery);
      target = open.target;
      await this.attempt(held, open, AbortSignal.any([signal, held.signal]));
    } catch (error) {
      if (error instanceof LeaseLostError) return true;
      // Without the database nothing can be recorded. The lease expires, and the next attempt looks for what this one left.
      if (databaseProblem(error)) throw error;
      if (!(error instanceof DeliveryError))
        logger.error({ deliveryId, err: error }, 'delivery failed unexpectedly');
      await this.attempts.recordFailure(held, target, deliveryError(error));
    } finally {
      held.release();
    }
    return true;
  }

  private async attempt(
    held: HeldDelivery,
    { target, sender }: OpenTarget,
    signal: AbortSignal,
  ): Promise<void> {
    const { delivery } = held;
    await this.requireControl('check');
    const arrival = await sender.send({
      delivery,
      signal,
      prepare: () => this.prepare(delivery, target),
      announce: async (sizeBytes) => {
        await this.requireControl('prepare');
        await this.attempts.announce(held, sizeBytes);
      },
    });
    await this.attempts.recordSuccess(held, target, arrival);
    await this.attempts.unmark(delivery, sender, arrival, signal);
  }

  /** Without the store nobody knows. The attempt then finds out, and reports it. */
  private mayAct(): Promise<boolean> {
    return this.control.mayActOutside().catch(() => true);
  }

  /** A copy of the database, such as a restored backup, has the deliveries of the original. */
  private async requireControl(step: DeliveryStep): Promise<void> {
    const mayAct = await this.control.mayActOutside().catch((error: unknown) => {
      throw databaseProblem(error) ? error : new DeliveryError('storage_unavailable', step, { cause: error });
    });
    const retryAfterSeconds = this.control.retrySeconds;
    if (!mayAct) throw new DeliveryError('bucket_not_controlled', step, { retryAfterSeconds });
  }

  /** Checked again right before sending: the asset may have been trashed, or its surfaces changed. */
  private async prepare(delivery: Delivery, target: Target): Promise<PreparedFile> {
    const asset = await this.assets.findById(delivery, delivery.assetId);
    const refusal = refusalOf(asset ?? undefined, delivery.surface);
    if (refusal !== null) throw new DeliveryError(refusal.code, 'check');
    return this.files.prepare(delivery, asset!, target.kind);
  }
}

/** A bug must not repeat an upload forever: it counts as a failure with an unknown outcome. */
function deliveryError(error: unknown): DeliveryError {
  return error instanceof DeliveryError
    ? error
    : new DeliveryError('internal_error', 'upload', { ambiguous: true, cause: error });
}
