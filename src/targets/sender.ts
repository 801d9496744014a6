import type { Delivery } from '../database/entities/delivery.entity.js';
import type { PreparedFile } from './prepared-file.js';

/** One attempt to deliver. */
export interface Attempt {
  readonly delivery: Delivery;
  /** Aborted when the attempt has to end: the worker stops, or another one has taken over. */
  readonly signal: AbortSignal;
  /** Checks that the asset may still be delivered, and makes the file. */
  prepare(): Promise<PreparedFile>;
  /** Records that this many bytes are about to be sent. Must be called before sending; throws after a cancellation. */
  announce(sizeBytes: number): Promise<void>;
}

/** The result of a delivery. */
export interface Arrival {
  readonly remoteId: string | null;
  readonly remoteUrl: string | null;
  /** Whether there may be duplicates that could not be removed yet. */
  readonly isDoubtful: boolean;
  /** Whether the copy has a marker by which attempts find it, which `unmark` removes. */
  readonly isMarked: boolean;
}

/** Sends to one kind of target. Throws a `DeliveryError` for everything that the target causes. */
export interface Sender {
  /** Sends the file, unless an earlier attempt already did. */
  send(attempt: Attempt): Promise<Arrival>;
  /**
   * Looks again for uploads of attempts without a response. Keeps one complete copy, preferably `remoteId`, and removes all others; with
   * `keep` false, removes all. Null if there is none or the target cannot be queried.
   */
  settle(delivery: Delivery, keep: boolean, signal: AbortSignal): Promise<Arrival | null>;
  /**
   * Removes the marker from the recorded copy, unless a person has changed it. From then on, no attempt can find the copy, so this must wait
   * until its id is recorded and no duplicate can appear.
   */
  unmark(delivery: Delivery, remoteId: string, signal: AbortSignal): Promise<void>;
}
