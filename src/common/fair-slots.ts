export interface SlotLimits {
  readonly total: number;
  readonly perClient: number;
  /** How long to wait for a slot; 0 to be refused at once. */
  readonly waitMs: number;
}

/** Which limit is reached. */
export type FullLimit = 'client' | 'total';

/**
 * Bounds how much work of a kind runs at once, per client and in all. Clients that wait get the next free slot in turn, so that one
 * with many requests does not delay the others.
 */
export class FairSlots {
  private running = 0;
  private readonly runningOf = new Map<string, number>();
  /** Ordered by whose turn is next. */
  private readonly waiting = new Map<string, Set<() => void>>();

  constructor(
    private readonly limits: SlotLimits,
    private readonly refusal: (full: FullLimit) => Error,
  ) {}

  /** Runs the work as soon as there is a slot. An aborted signal ends the waiting, not the work. */
  async use<T>(clientId: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    signal?.throwIfAborted();
    if (this.fullLimit(clientId) === null) this.take(clientId);
    else await this.wait(clientId, signal);
    try {
      return await work();
    } finally {
      this.release(clientId);
    }
  }

  private fullLimit(clientId: string): FullLimit | null {
    if ((this.runningOf.get(clientId) ?? 0) >= this.limits.perClient) return 'client';
    return this.running >= this.limits.total ? 'total' : null;
  }

  private take(clientId: string): void {
    this.running++;
    this.runningOf.set(clientId, (this.runningOf.get(clientId) ?? 0) + 1);
  }

  private release(clientId: string): void {
    this.running--;
    const left = this.runningOf.get(clientId)! - 1;
    if (left === 0) this.runningOf.delete(clientId);
    else this.runningOf.set(clientId, left);
    this.grantNext();
  }

  private grantNext(): void {
    for (const [clientId, requests] of this.waiting) {
      if (this.fullLimit(clientId) !== null) continue;
      const [grant] = requests;
      this.waiting.delete(clientId);
      this.waiting.set(clientId, requests);
      grant!();
      return;
    }
  }

  /** Resolves when the slot has been taken. */
  private wait(clientId: string, signal: AbortSignal | undefined): Promise<void> {
    if (this.limits.waitMs === 0) return Promise.reject(this.refusal(this.fullLimit(clientId)!));
    return new Promise((resolve, reject) => {
      const leave = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', onAbort);
        const requests = this.waiting.get(clientId)!;
        requests.delete(grant);
        if (requests.size === 0) this.waiting.delete(clientId);
      };
      const grant = () => {
        leave();
        this.take(clientId);
        resolve();
      };
      const onAbort = () => {
        leave();
        reject(signal!.reason as Error);
      };
      const timer = setTimeout(() => {
        leave();
        reject(this.refusal(this.fullLimit(clientId) ?? 'total'));
      }, this.limits.waitMs);
      signal?.addEventListener('abort', onAbort);
      const requests = this.waiting.get(clientId);
      if (requests) requests.add(grant);
      else this.waiting.set(clientId, new Set([grant]));
    });
  }
}
