import type { Delivery } from '../../../database/entities/delivery.entity.js';
import type { PreparedFile } from '../prepared-file.js';

/** One try to deliver. */
export interface Attempt {
  readonly delivery: Delivery;
  /** Aborted when the try has to end: the worker stops, or another one has taken over. */
  readonly signal: AbortSignal;
  /** Makes sure that the asset may still be delivered, and makes the file that is sent. */
  prepare(): Promise<PreparedFile>;
  /** Writes down that so many bytes are about to leave. Nothing may be sent before; after a cancellation it throws. */
  announce(sizeBytes: number): Promise<void>;
}

/** Where a delivery ended up. */
export interface Arrival {
  readonly remoteId: string | null;
  readonly remoteUrl: string | null;
  /** Whether there may be duplicates that could not be removed yet. */
  readonly isDoubtful: boolean;
}

/** Speaks to one kind of target. Throws a `DeliveryError` for everything that is the target's doing. */
export interface Sender {
  /** Sends the file, unless an earlier try has. */
  send(attempt: Attempt): Promise<Arrival>;
  /**
   * Looks once more for what tries without an answer left behind. Keeps one complete copy, `remoteId` first, and removes all others;
   * `keep` false: removes all of them. Null when there is none, or the target cannot tell.
   */
  settle(delivery: Delivery, keep: boolean, signal: AbortSignal): Promise<Arrival | null>;
}
