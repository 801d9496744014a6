import type { Delivery } from '../../database/entities/delivery.entity.js';
import type { QueuedJob } from '../../jobs/job-queue.js';

export const DELIVER = 'deliver';
export const SETTLE = 'settle-delivery';

type Queued = Pick<Delivery, 'id' | 'targetId'>;

export interface DeliverPayload {
  readonly deliveryId: string;
  readonly targetId: string;
}

export interface SettlePayload {
  readonly deliveryId: string;
  /** The number of failures so far. */
  readonly failures: number;
}

export function deliverKey(deliveryId: string): string {
  return `deliver:${deliveryId}`;
}

export function settleKey(deliveryId: string): string {
  return `settle:${deliveryId}`;
}

/** The next attempt. A target receives one at a time, from all processes. */
export function deliverJob({ id, targetId }: Queued, delaySeconds = 0): QueuedJob {
  const payload: DeliverPayload = { deliveryId: id, targetId };
  return { name: DELIVER, payload, key: deliverKey(id), queue: queueOf(targetId), ...after(delaySeconds) };
}

/** A final check for duplicates of an upload whose response was lost, and for its marker. */
export function settleJob({ id, targetId }: Queued, delaySeconds: number, failures = 0): QueuedJob {
  const payload: SettlePayload = { deliveryId: id, failures };
  return { name: SETTLE, payload, key: settleKey(id), queue: queueOf(targetId), ...after(delaySeconds) };
}

function queueOf(targetId: string): string {
  return `deliver:${targetId}`;
}

function after(delaySeconds: number): Pick<QueuedJob, 'delaySeconds'> {
  return delaySeconds > 0 ? { delaySeconds: Math.ceil(delaySeconds) } : {};
}
