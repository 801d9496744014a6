import { FairLimiter, type WorkOwner } from '../common/fair-limiter.js';
import { DecoderChild, type Outcome, type RangeReader } from './decoder-child.js';
import { MediaUnavailableError, type MediaOptions } from './media.types.js';
import type { Job } from './protocol.js';

/** A few child processes for one class of work, started on demand and shared fairly between clients. */
export class DecoderGroup {
  private closed = false;
  private readonly limiter: FairLimiter;
  private readonly idle = new Map<DecoderChild, NodeJS.Timeout>();
  private readonly children = new Set<DecoderChild>();

  constructor(
    private readonly options: MediaOptions,
    capacity: number,
    private readonly isBackground: boolean,
  ) {
    const { maxQueued, maxQueuedPerClient } = options;
    this.limiter = new FairLimiter({
      capacity,
      perClient: perClientOf(capacity),
      maxQueued,
      maxQueuedPerClient,
      full: () => new MediaUnavailableError('too many files are waiting to be decoded'),
    });
  }

  pids(): number[] {
    return [...this.children].filter((child) => child.alive).map((child) => child.pid ?? 0);
  }

  /** `work` runs when it is the owner's turn. */
  inTurn<T>(owner: WorkOwner, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    return this.limiter.run(owner, work, { signal });
  }

  /** Resolves after a timeout, or when no work waits for a child that another client uses. */
  whenUncrowded(): Promise<void> {
    return this.limiter.whenUncrowded();
  }

  async close(): Promise<void> {
    this.closed = true;
    this.limiter.close(this.closing());
    for (const timer of this.idle.values()) clearTimeout(timer);
    this.idle.clear();
    await Promise.all([...this.children].map((child) => child.kill()));
  }

  /** Runs the job in a child; `fresh`: in one that has never seen another file. */
  async run(
    job: Job,
    reader: RangeReader,
    timeLimitMs: number,
    fresh: boolean,
    signal?: AbortSignal,
  ): Promise<Outcome> {
    if (this.closed) throw this.closing();
    signal?.throwIfAborted();
    const child = await this.take(fresh);
    let reusable = false;
    try {
      const outcome = await child.run(job, timeLimitMs, reader, signal);
      if (this.closed && outcome.kind !== 'reply') throw this.closing();
      reusable =
        outcome.kind === 'reply' &&
        !outcome.reply.mustRestart &&
        outcome.reply.rss <= this.options.recycleAboveBytes &&
        child.jobs < this.options.maxJobsPerChild;
      return outcome;
    } finally {
      if (reusable && child.alive && !this.closed) this.park(child);
      else await this.dismiss(child);
    }
  }

  /** Ends the children that have nothing to do, and with them the memory that they keep. */
  async dismissIdle(): Promise<void> {
    const idle = [...this.idle];
    this.idle.clear();
    for (const [, timer] of idle) clearTimeout(timer);
    await Promise.all(idle.map(([child]) => this.dismiss(child)));
  }

  private async take(fresh: boolean): Promise<DecoderChild> {
    for (const [child, timer] of this.idle) {
      clearTimeout(timer);
      this.idle.delete(child);
      if (!fresh && child.alive) return child;
      void this.dismiss(child);
    }
    const child = await DecoderChild.start(this.options, this.isBackground);
    this.children.add(child);
    if (this.closed) {
      await this.dismiss(child);
      throw this.closing();
    }
    return child;
  }

  private park(child: DecoderChild): void {
    const timer = setTimeout(() => {
      this.idle.delete(child);
      void this.dismiss(child);
    }, this.options.idleMs);
    this.idle.set(child, timer.unref());
  }

  private async dismiss(child: DecoderChild): Promise<void> {
    await child.kill();
    this.children.delete(child);
  }

  private closing(): MediaUnavailableError {
    return new MediaUnavailableError('media decoding is shutting down');
  }
}

/** How many of its files a client may decode at the same time: while they are slow, the next client finds a free decoder. */
export function perClientOf(capacity: number): number {
  return Math.max(1, capacity - 1);
}
