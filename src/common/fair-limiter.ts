/** `interactive`: someone waits for the result. `background`: nobody does. */
export type Priority = 'interactive' | 'background';

/** The client for which the work is done. Work for one client must not delay the others. */
export interface WorkOwner {
  readonly clientId: string;
  readonly priority: Priority;
}

export interface FairLimits {
  /** The total cost of work that runs at the same time. */
  readonly capacity: number;
  /** The part of `capacity` that one client may use. If it is less than `capacity`, another client never has to wait for this one alone. */
  readonly perClient: number;
  /** The part of `capacity` that background work may use. Defaults to all of it. */
  readonly background?: number;
  readonly maxQueued?: number;
  readonly maxQueuedPerClient?: number;
  /** How long work waits for its turn. 0 rejects immediately. By default there is no limit. */
  readonly maxWaitMs?: number;
  /** Creates the error for a full queue or an expired wait, by the limit that was reached. */
  readonly full: (limit: FullLimit) => Error;
}

export type FullLimit = 'client' | 'total';

export interface Admission {
  /** Counts against the limits while the work runs. */
  readonly cost?: number;
  readonly signal?: AbortSignal;
}

interface Work extends WorkOwner {
  readonly cost: number;
}

interface Waiter extends Work {
  readonly since: number;
  admit(): void;
  refuse(error: Error): void;
}

interface Client {
  held: number;
  /** The turn in which its work was last admitted. */
  lastTurn: number;
  readonly queue: Waiter[];
}

/** After this time, background work counts as interactive and can no longer be overtaken by cheaper work. */
const PATIENCE_MS = 10_000;

/**
 * Limits how much work runs at the same time and shares it fairly: interactive work goes first, then the client that uses the least, then
 * the one whose last turn was longest ago. The work of each client keeps its order.
 */
export class FairLimiter {
  private used = 0;
  private usedByBackground = 0;
  private queued = 0;
  private turns = 0;
  private closed: Error | null = null;
  private readonly uncrowdedListeners = new Set<() => void>();
  /** The clients with running or waiting work. */
  private readonly clients = new Map<string, Client>();

  private readonly limits: Required<FairLimits>;

  constructor(limits: FairLimits) {
    this.limits = {
      background: limits.capacity,
      maxQueued: Infinity,
      maxQueuedPerClient: Infinity,
      maxWaitMs: Infinity,
      ...limits,
    };
  }

  async run<T>(owner: WorkOwner, work: () => Promise<T>, { cost = 1, signal }: Admission = {}): Promise<T> {
    const { perClient, background } = this.limits;
    // Work that costs more than the share of its client runs alone among that client's work.
    const most = owner.priority === 'background' ? Math.min(perClient, background) : perClient;
    const held = { ...owner, cost: Math.min(cost, most) };
    await this.enter(held, signal);
    try {
      return await work();
    } finally {
      this.hold(held, -held.cost);
      this.forgetIfIdle(held.clientId);
      this.admitWaiting();
    }
  }

  /** Resolves after a timeout, or when no work is waiting that would fit into the share of its own client. */
  async whenUncrowded(): Promise<void> {
    if (!this.isCrowded()) return;
    await new Promise<void>((resolve) => {
      const end = () => {
        clearTimeout(timer);
        this.uncrowdedListeners.delete(end);
        resolve();
      };
      const timer = setTimeout(end, PATIENCE_MS).unref();
      this.uncrowdedListeners.add(end);
    });
  }

  /** Rejects all waiting and all future work. */
  close(error: Error): void {
    this.closed = error;
    for (const { queue } of this.clients.values()) for (const waiter of queue.splice(0)) waiter.refuse(error);
    this.queued = 0;
    for (const end of this.uncrowdedListeners) end();
  }

  private async enter(work: Work, signal?: AbortSignal): Promise<void> {
    if (this.closed) throw this.closed;
    signal?.throwIfAborted();
    await new Promise<void>((resolve, reject) => {
      let timer: NodeJS.Timeout | undefined;
      const stopWaiting = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', abort);
      };
      const waiter: Waiter = {
        ...work,
        since: Date.now(),
        admit: () => {
          stopWaiting();
          resolve();
        },
        refuse: (error) => {
          stopWaiting();
          reject(error);
        },
      };
      const giveUp = (error: Error) => {
        this.remove(waiter);
        this.forgetIfIdle(work.clientId);
        waiter.refuse(error);
        // Work that this one held back may fit now.
        this.admitWaiting();
      };
      const abort = () => giveUp(signal?.reason as Error);
      this.clientOf(work).queue.push(waiter);
      this.queued += 1;
      this.admitWaiting();
      if (!this.isWaiting(waiter)) return;
      const { maxWaitMs } = this.limits;
      if (maxWaitMs === 0 || this.isOverfull(waiter)) {
        giveUp(this.limits.full(this.fullLimit(waiter)));
        return;
      }
      signal?.addEventListener('abort', abort, { once: true });
      if (maxWaitMs < Infinity)
        timer = setTimeout(() => giveUp(this.limits.full(this.fullLimit(waiter))), maxWaitMs);
    });
  }

  private admitWaiting(): void {
    for (let next = this.next(); next !== null; next = this.next()) {
      this.remove(next);
      this.hold(next, next.cost);
      this.clientOf(next).lastTurn = this.turns += 1;
      next.admit();
    }
    if (this.uncrowdedListeners.size > 0 && !this.isCrowded())
      for (const end of this.uncrowdedListeners) end();
  }

  private isCrowded(): boolean {
    if (this.queued === 0) return false;
    return [...this.clients.values()].some(({ queue }) => queue.some((waiter) => this.fitsItsShare(waiter)));
  }

  private next(): Waiter | null {
    for (const urgent of [true, false]) {
      let best: { waiter: Waiter; client: Client } | null = null;
      for (const client of this.clients.values()) {
        const waiter = client.queue.find((candidate) => isUrgent(candidate) === urgent);
        if (waiter === undefined) continue;
        if (this.fits(waiter)) {
          if (best === null || comesBefore(client, best.client)) best = { waiter, client };
        } else if (hasWaitedLong(waiter) && this.fitsItsShare(waiter)) {
          return null;
        }
      }
      if (best !== null) return best.waiter;
    }
    return null;
  }

  /** Work that was admitted immediately is no longer in the queue. */
  private isWaiting(waiter: Waiter): boolean {
    return this.clientOf(waiter).queue.includes(waiter);
  }

  private isOverfull(waiter: Waiter): boolean {
    const { queue } = this.clientOf(waiter);
    return this.queued > this.limits.maxQueued || queue.length > this.limits.maxQueuedPerClient;
  }

  /** The client's own limit, if the work would have to wait even without other clients. */
  private fullLimit(waiter: Waiter): FullLimit {
    const { held, queue } = this.clientOf(waiter);
    const { perClient, maxQueuedPerClient } = this.limits;
    return held + waiter.cost > perClient || queue.length > maxQueuedPerClient ? 'client' : 'total';
  }

  private fits(work: Work): boolean {
    return this.used + work.cost <= this.limits.capacity && this.fitsItsShare(work);
  }

  private fitsItsShare(work: Work): boolean {
    if (this.clientOf(work).held + work.cost > this.limits.perClient) return false;
    return work.priority === 'interactive' || this.usedByBackground + work.cost <= this.limits.background;
  }

  private hold(work: Work, change: number): void {
    this.used += change;
    this.clientOf(work).held += change;
    if (work.priority === 'background') this.usedByBackground += change;
  }

  private remove(waiter: Waiter): void {
    const { queue } = this.clientOf(waiter);
    queue.splice(queue.indexOf(waiter), 1);
    this.queued -= 1;
  }

  private clientOf({ clientId }: WorkOwner): Client {
    let client = this.clients.get(clientId);
    if (client === undefined) this.clients.set(clientId, (client = { held: 0, lastTurn: 0, queue: [] }));
    return client;
  }

  private forgetIfIdle(clientId: string): void {
    const client = this.clients.get(clientId);
    if (client?.held === 0 && client.queue.length === 0) this.clients.delete(clientId);
  }
}

function comesBefore(client: Client, other: Client): boolean {
  return client.held === other.held ? client.lastTurn < other.lastTurn : client.held < other.held;
}

function isUrgent(waiter: Waiter): boolean {
  return waiter.priority === 'interactive' || hasWaitedLong(waiter);
}

function hasWaitedLong({ since }: Waiter): boolean {
  return Date.now() - since > PATIENCE_MS;
}
