import type { ProblemCode } from '../common/errors/catalogue.js';
import type { Surface } from '../database/entities/asset.entity.js';
import type { DeliveredRendition, Delivery, DeliveryStatus } from '../database/entities/delivery.entity.js';

export interface CreatedDelivery {
  readonly delivery: Delivery;
  /** False if the same asset, rendition and target is already in progress or delivered. */
  readonly isNew: boolean;
}

/** For one of several assets: its delivery, or why it cannot be delivered. */
export type DeliveryResult = { readonly assetRef: string } & (
  | ({ readonly ok: true } & CreatedDelivery)
  | { readonly ok: false; readonly code: ProblemCode; readonly detail: string }
);

/** The same asset, rendition and target is delivered once. What `fit` means depends on the surface. */
export function identityOf(rendition: DeliveredRendition, surface: Surface): string {
  return rendition === 'fit' ? `fit-${surface}` : rendition;
}

/** For a caller that must not know of the delivery with this identity, which is for another surface. */
export function ownIdentityOf(identity: string, surface: Surface): string {
  return `${identity}-${surface}`;
}

/** Seconds before the next attempt after this many failures, or null if there is none. */
export function retryDelay(schedule: readonly number[], failures: number): number | null {
  return schedule[failures - 1] ?? null;
}

export function isOpen(status: DeliveryStatus): boolean {
  return status === 'queued' || status === 'running';
}

/** How an attempt ended without success. */
export interface TryFailure {
  readonly code: string;
  readonly isFinal: boolean;
  readonly ambiguous: boolean;
  readonly retryAfterSeconds: number | null;
}

export interface NextTry {
  readonly status: 'queued' | 'failed';
  readonly failures: number;
  readonly delaySeconds: number;
}

/** What follows a failed attempt. `failures`: the number of earlier failures. */
export function afterFailure(failures: number, failure: TryFailure, schedule: readonly number[]): NextTry {
  const again = (delaySeconds: number, count: number): NextTry => ({
    status: 'queued',
    failures: count,
    delaySeconds: Math.max(delaySeconds, failure.retryAfterSeconds ?? 0),
  });
  // Not a failure: the site is busy with an earlier upload, or this worker stopped, or must not send, before it sent anything.
  if (failure.code === 'upload_unfinished') return again(schedule[0]!, failures);
  if (failure.code === 'bucket_not_controlled') return again(1, failures);
  if (failure.code === 'interrupted' && !failure.ambiguous) return again(1, failures);
  const delay = failure.isFinal ? null : retryDelay(schedule, failures + 1);
  if (delay === null) return { status: 'failed', failures: failures + 1, delaySeconds: 0 };
  return again(delay, failures + 1);
}

/** How long to wait after a worker was killed, counted from its last heartbeat. */
export function afterLostWorker(
  failures: number,
  { wasSending, silentSeconds }: { wasSending: boolean; silentSeconds: number },
  schedule: readonly number[],
): NextTry {
  const failure = { code: 'worker_lost', isFinal: false, ambiguous: wasSending, retryAfterSeconds: null };
  const next = afterFailure(failures, failure, schedule);
  // If nothing was sent, nothing can be on the site. Only an upload needs time to be finished by the site.
  return { ...next, delaySeconds: wasSending ? Math.max(0, next.delaySeconds - silentSeconds) : 0 };
}
