import { Problem } from '../common/errors/problem.js';
import { FairLimiter } from '../common/fair-limiter.js';

const MAX_WAITING = 2_000;
const MAX_WAITING_PER_CLIENT = 200;

/** Limits the bytes of files that are being processed, shared fairly between clients. Work waits until its bytes fit. */
export function byteBudget(capacity: number): FairLimiter {
  return new FairLimiter({
    capacity,
    perClient: Math.ceil(capacity * 0.75),
    background: Math.ceil(capacity * 0.5),
    maxQueued: MAX_WAITING,
    maxQueuedPerClient: MAX_WAITING_PER_CLIENT,
    full: () => new Problem('server_busy', 'Too many files are being processed.', { retryAfter: 30 }),
  });
}
