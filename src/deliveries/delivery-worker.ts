import { type BeforeApplicationShutdown, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { logger } from '../common/logging/logger.js';
import { withTimeout } from '../common/with-timeout.js';
import type { Config } from '../config/config.js';
import { InjectConfig } from '../config/config.token.js';
import { BucketControl } from '../storage/bucket-control.js';
import { DeliveryAttempts, type HeldDelivery } from './delivery-attempts.js';
import { DeliveryRecheck } from './delivery-recheck.js';
import { DeliverySlots } from './delivery-slots.js';
import { DeliveryUpload } from './delivery-upload.js';

/** How soon a new delivery is noticed, at the latest. */
const POLL_MS = 500;
/** After failures, for example during a database outage. */
const LONGEST_PAUSE_MS = 30_000;
/** On shutdown, running deliveries first get time to finish and are then aborted. */
const ABORTED_AFTER_MS = 15_000;
const ABANDONED_AFTER_MS = 22_000;

/**
 * Takes due deliveries and runs them, in any number of processes. The rows of the deliveries alone decide: whoever holds the lease of one
 * occupies its target, and a lease without a heartbeat ends, whatever has become of its process.
 */
@Injectable()
export class DeliveryWorker implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly slots: DeliverySlots;
  private isStopping = false;
  private readonly aborting = new AbortController();
  private readonly running = new Set<Promise<void>>();
  private isWoken = false;
  private endSleep: () => void = () => undefined;
  private working: Promise<void> = Promise.resolve();

  constructor(
    private readonly attempts: DeliveryAttempts,
    private readonly uploads: DeliveryUpload,
    private readonly rechecks: DeliveryRecheck,
    private readonly control: BucketControl,
    @InjectConfig() private readonly config: Config,
  ) {
    this.slots = new DeliverySlots(config.deliveries.concurrency);
  }

  onApplicationBootstrap(): void {
    if (this.config.worker !== 'off') this.working = this.work();
  }

  /** Before the connections that running deliveries need are closed. */
  beforeApplicationShutdown(): Promise<void> {
    return this.stop();
  }

  /** Takes no more deliveries. Resolves when the running ones have ended, or will be taken over because their leases end. */
  async stop(): Promise<void> {
    this.isStopping = true;
    this.wake();
    const abort = setTimeout(() => this.aborting.abort(), ABORTED_AFTER_MS);
    await withTimeout(
      this.working.then(() => Promise.allSettled(this.running)),
      ABANDONED_AFTER_MS,
      () => logger.warn('deliveries are still running and will be taken over'),
    );
    clearTimeout(abort);
  }

  private async work(): Promise<void> {
    for (let pause = POLL_MS; !this.isStopping;) {
      this.isWoken = false;
      try {
        await this.attempts.endLost();
        const refused = Math.min(this.control.retrySeconds * 1000, LONGEST_PAUSE_MS);
        pause = (await this.fillSlots()) ? POLL_MS : refused;
      } catch (error) {
        pause = Math.min(pause * 2, LONGEST_PAUSE_MS);
        logger.warn({ err: error, pauseMs: pause }, 'could not look for deliveries, will try again');
      }
      await this.sleep(pause);
    }
  }

  /** False if nothing may leave: a copy of the database, such as a restored backup, has the deliveries of the original. */
  private async fillSlots(): Promise<boolean> {
    while (this.slots.areFree && !this.isStopping && (await this.attempts.isAnyDue(this.slots))) {
      // Without the store nobody knows. The attempt then finds out, and reports it.
      if (!(await this.control.mayActOutside().catch(() => true))) return false;
      const held = await this.attempts.take(this.slots);
      if (held === null) break;
      const run = this.run(held);
      this.running.add(run);
      void run.then(() => this.running.delete(run));
    }
    return true;
  }

  private async run(held: HeldDelivery): Promise<void> {
    const { id: deliveryId, clientId, status } = held.delivery;
    this.slots.use(clientId);
    const signal = AbortSignal.any([held.signal, this.aborting.signal]);
    try {
      if (status === 'running') await this.uploads.run(held, signal);
      else await this.rechecks.run(held, signal);
    } catch (error) {
      // Its outcome could not be recorded, so it counts as lost when its lease ends.
      logger.warn({ deliveryId, err: error }, 'delivery was abandoned');
    } finally {
      held.release();
      this.slots.release(clientId);
      this.wake();
    }
  }

  private wake(): void {
    this.isWoken = true;
    this.endSleep();
  }

  private async sleep(milliseconds: number): Promise<void> {
    if (this.isWoken || this.isStopping) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, milliseconds);
      this.endSleep = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
