import { Injectable } from '@nestjs/common';
import type { WorkOwner } from '../common/fair-limiter.js';
import { byteBudget } from './byte-budget.js';

const MIB = 1024 * 1024;

/**
 * Files up to this size are read in one go and processed in memory. About as much is in socket buffers anyway by the time a download is
 * cancelled.
 */
export const SMALL_FILE_BYTES = 4 * MIB;

const CAPACITY = 64 * MIB;

/** The memory for small files that are being processed, shared fairly between clients. */
@Injectable()
export class SmallFiles {
  private readonly budget = byteBudget(CAPACITY);

  /** Waits until the budget has room for `bytes`. */
  use<T>(owner: WorkOwner, bytes: number, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    return this.budget.run(owner, work, { cost: bytes, signal });
  }
}
