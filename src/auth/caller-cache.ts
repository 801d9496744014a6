import { Injectable } from '@nestjs/common';
import { setImmediate as pendingInput } from 'node:timers/promises';
import { callerLookups } from '../common/metrics/metrics.js';
import { AccessChanges } from '../database/access-changes.js';
import type { ActiveCaller, Principal } from '../access/principal.js';

const MAX_AGE_MS = 5_000;
const MAX_CALLERS = 10_000;

interface CachedCaller {
  readonly principal: Principal;
  readonly version: number;
  readonly until: number;
}

/**
 * Remembers for a few seconds who presented a credential, but never beyond a change of any user, key or sign-in, and only while
 * notifications about such changes arrive.
 */
@Injectable()
export class CallerCache {
  private readonly callers = new Map<string, CachedCaller>();
  private pending: Promise<void> | null = null;

  constructor(private readonly changes: AccessChanges) {}

  /** `key` must be unique per credential and must not be usable as a credential if it leaks. */
  async find(key: string, lookUp: () => Promise<ActiveCaller | null>): Promise<Principal | null> {
    if (this.callers.has(key)) {
      await this.takePendingInput();
      const cached = this.callers.get(key);
      if (cached && cached.version === this.changes.version && performance.now() < cached.until)
        return cached.principal;
      this.callers.delete(key);
    }
    const { version } = this.changes;
    const startedAt = performance.now();
    callerLookups.inc();
    const found = await lookUp();
    if (found === null) return null;
    // The result may be outdated if something changed while the query was running.
    if (version !== null && version === this.changes.version)
      this.put(key, {
        principal: found.principal,
        version,
        until: startedAt + Math.min(MAX_AGE_MS, found.secondsLeft * 1000),
      });
    return found.principal;
  }

  /** Takes notifications into account that arrived together with the request. All requests of one turn of the event loop share the wait. */
  private takePendingInput(): Promise<void> {
    this.pending ??= pendingInput().then(() => void (this.pending = null));
    return this.pending;
  }

  private put(key: string, caller: CachedCaller): void {
    if (this.callers.size >= MAX_CALLERS) this.callers.clear();
    this.callers.set(key, caller);
  }
}
