import { Injectable } from '@nestjs/common';
import { refusalOf } from '../assets/surface-gate.rules.js';
import { AssetsRepository } from '../assets/assets.repository.js';
import { databaseProblem } from '../common/errors/database-errors.js';
import { logger } from '../common/logging/logger.js';
import type { Delivery, DeliveryStep } from '../database/entities/delivery.entity.js';
import type { Target } from '../database/entities/target.entity.js';
import { BucketControl } from '../storage/bucket-control.js';
import { KINDS } from '../targets/kinds/kinds.js';
import { DeliveryAttempts, type HeldDelivery, LeaseLostError } from './delivery-attempts.js';
import { DeliveryError } from '../targets/delivery-error.js';
import { DeliveryFiles } from './delivery-files.js';
import { DeliveryTargets, type OpenTarget } from './delivery-targets.js';
import type { PreparedFile } from '../targets/prepared-file.js';

/** One attempt to upload. Its outcome is recorded together with the time of the next attempt. */
@Injectable()
export class DeliveryUpload {
  constructor(
    private readonly attempts: DeliveryAttempts,
    private readonly targets: DeliveryTargets,
    private readonly assets: AssetsRepository,
    private readonly files: DeliveryFiles,
    private readonly control: BucketControl,
  ) {}

  async run(held: HeldDelivery, signal: AbortSignal): Promise<void> {
    let target: Target | null = null;
    try {
      const open = await this.targets.open(held.delivery);
      target = open.target;
      await this.attempt(held, open, signal);
    } catch (error) {
      if (error instanceof LeaseLostError) return;
      // Without the database nothing can be recorded. The lease expires, and the next attempt looks for what this one left.
      if (databaseProblem(error)) throw error;
      if (!(error instanceof DeliveryError))
        logger.error({ deliveryId: held.delivery.id, err: error }, 'delivery failed unexpectedly');
      await this.attempts.recordFailure(held, target, deliveryError(error));
    }
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
    await this.attempts.unmark(held, sender, arrival, signal);
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
    return this.files.prepare(delivery, asset!, KINDS[target.kind].originals);
  }
}

/** A bug must not repeat an upload forever: it counts as a failure with an unknown outcome. */
function deliveryError(error: unknown): DeliveryError {
  return error instanceof DeliveryError
    ? error
    : new DeliveryError('internal_error', 'upload', { ambiguous: true, cause: error });
}
