import { Injectable } from '@nestjs/common';
import { Problem } from '../common/errors/problem.js';
import { FairLimiter, type WorkOwner } from '../common/fair-limiter.js';

const MIB = 1024 * 1024;

/**
 * Files up to this size are read in one go and processed in memory. About as much as sits in socket buffers anyway by the time a
 * download is cancelled.
 */
export const SMALL_FILE_BYTES = 4 * MIB;

const CAPACITY = 64 * MIB;
const MAX_WAITING = 2_000;
const MAX_WAITING_PER_CLIENT = 200;

/** The memory for small files that are being processed, shared fairly between clients. */
@Injectable()
export class SmallFiles {
  private readonly budget = new FairLimiter({
    capacity: CAPACITY,
    perClient: CAPACITY * 0.75,
    background: CAPACITY * 0.5,
    maxQueued: MAX_WAITING,
    maxQueuedPerClient: MAX_WAITING_PER_CLIENT,
    full: () => new Problem('server_busy', 'Too many files are being processed.', { retryAfter: 30 }),
  });

  /** Waits until the budget has room for `bytes`. */
  use<T>(owner: WorkOwner, bytes: number, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    return this.budget.run(owner, work, { cost: bytes, signal });
  }
}
