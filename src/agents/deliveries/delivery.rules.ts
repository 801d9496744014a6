import type { Surface } from '../../database/entities/asset.entity.js';
import type { DeliveredRendition, DeliveryStatus } from '../../database/entities/delivery.entity.js';

/** WordPress numbers further uploads with the same slug. */
const NUMBERED_SLUGS = [2, 3, 4, 5];

/** The same asset, rendition and target is delivered once. What `fit` is depends on the surface. */
export function identityOf(rendition: DeliveredRendition, surface: Surface): string {
  return rendition === 'fit' ? `fit-${surface}` : rendition;
}

/** Finds what an earlier try left at a WordPress site: the slug that each try asks for. */
export function markerOf(deliveryId: string): string {
  return `cal-${deliveryId.replaceAll('-', '')}`;
}

/** Every slug that tries of one delivery can have ended up with. */
export function markersOf(deliveryId: string): string[] {
  const marker = markerOf(deliveryId);
  return [marker, ...NUMBERED_SLUGS.map((number) => `${marker}-${number}`)];
}

/** Seconds before the next try after so many failures, or null when there is none. */
export function retryDelay(schedule: readonly number[], failures: number): number | null {
  return schedule[failures - 1] ?? null;
}

export function isOpen(status: DeliveryStatus): boolean {
  return status === 'queued' || status === 'running';
}

/** How a try ended without success. */
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

/** What follows a failed try. `failures`: how many have failed before it. */
export function afterFailure(failures: number, failure: TryFailure, schedule: readonly number[]): NextTry {
  const again = (delaySeconds: number, count: number): NextTry => ({
    status: 'queued',
    failures: count,
    delaySeconds: Math.max(delaySeconds, failure.retryAfterSeconds ?? 0),
  });
  // Nothing failed: the site is busy with an earlier upload, or the worker stopped before it sent anything.
  if (failure.code === 'upload_unfinished') return again(schedule[0]!, failures);
  if (failure.code === 'interrupted' && !failure.ambiguous) return again(1, failures);
  const delay = failure.isFinal ? null : retryDelay(schedule, failures + 1);
  if (delay === null) return { status: 'failed', failures: failures + 1, delaySeconds: 0 };
  return again(delay, failures + 1);
}

/** How long a target is left alone after a worker was killed, counted from the last sign of life. */
export function afterLostWorker(
  failures: number,
  { wasSending, silentSeconds }: { wasSending: boolean; silentSeconds: number },
  schedule: readonly number[],
): NextTry {
  const failure = { code: 'worker_lost', isFinal: false, ambiguous: wasSending, retryAfterSeconds: null };
  const next = afterFailure(failures, failure, schedule);
  // What never began to leave cannot be there: only an upload needs time to be finished by the site.
  return { ...next, delaySeconds: wasSending ? Math.max(0, next.delaySeconds - silentSeconds) : 0 };
}
