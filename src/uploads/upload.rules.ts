import type { ProblemCode } from '../common/errors/catalogue.js';
import { Problem } from '../common/errors/problem.js';

/**
 * Whether a failed finalize counts as an attempt: if bytes were uploaded and the caller is at fault. Outages and a busy server do not
 * count, nor does finalizing before the upload is complete.
 */
export function countsAsAttempt(error: unknown): boolean {
  return error instanceof Problem && error.status < 500 && !FREE.includes(error.code);
}

const FREE: readonly ProblemCode[] = ['upload_incomplete', 'finalize_in_progress'];

const MIB = 1024 * 1024;
const MIN_PART_BYTES = 8 * MIB;
const MAX_PARTS = 1_000;

export interface PartPlan {
  readonly partNumber: number;
  readonly sizeBytes: number;
}

/** Parts of equal size except the last, as R2 requires, and few enough to list their URLs in one response. */
export function partSizeFor(totalBytes: number): number {
  return Math.max(MIN_PART_BYTES, Math.ceil(totalBytes / MAX_PARTS / MIB) * MIB);
}

export function planParts(totalBytes: number, partSizeBytes: number): PartPlan[] {
  const count = Math.max(1, Math.ceil(totalBytes / partSizeBytes));
  return Array.from({ length: count }, (_, index) => ({
    partNumber: index + 1,
    sizeBytes: Math.min(partSizeBytes, totalBytes - index * partSizeBytes),
  }));
}
