import { withTimeout } from './with-timeout.js';

/** Something in the database that only its holder works on, until `release`. */
export interface Lease {
  /** Aborted when somebody else has it, or when it could not be renewed in time. */
  readonly signal: AbortSignal;
  release(): void;
}

/** `renew` extends it in the database; false if somebody else has it. `lost`: the reason of the signal. */
export function holdLease(seconds: number, renew: () => Promise<boolean>, lost?: Error): Lease {
  const leaseMs = seconds * 1000;
  const controller = new AbortController();
  let renewedAt = performance.now();
  const tryRenewing = async () => {
    const sentAt = performance.now();
    const isHeld = await renew().catch(() => null);
    if (isHeld === true) renewedAt = Math.max(renewedAt, sentAt);
    else if (isHeld === false) controller.abort(lost);
  };
  const beat = async () => {
    await withTimeout(tryRenewing(), leaseMs / 6, () => undefined);
    // Without the database the lease expires, and the work must have stopped by then. A database that does not respond at all takes longer
    // than that to fail.
    if (performance.now() - renewedAt > leaseMs / 2) controller.abort(lost);
  };
  const timer = setInterval(() => void beat(), leaseMs / 6);
  return { signal: controller.signal, release: () => clearInterval(timer) };
}
