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
    private readonly isBackground: boolean,
  ) {
    const { children, maxQueued, maxQueuedPerClient } = options;
    this.limiter = new FairLimiter({
      // One more than a client may use: while it decodes slow files, the next client finds a free child.
      capacity: children + 1,
      perClient: children,
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

  async run(job: Job, reader: RangeReader, timeLimitMs: number, signal?: AbortSignal): Promise<Outcome> {
    const first = await this.attempt(job, reader, timeLimitMs, false, signal);
    if (first.kind !== 'crashed') return first;
    // A child may crash because of an earlier file or the state of the machine. Only a fresh child proves that this file is the cause.
    return this.attempt(job, reader, timeLimitMs, true, signal);
  }

  async close(): Promise<void> {
    this.closed = true;
    this.limiter.close(this.closing());
    for (const timer of this.idle.values()) clearTimeout(timer);
    this.idle.clear();
    await Promise.all([...this.children].map((child) => child.kill()));
  }

  private async attempt(
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

  private async take(fresh: boolean): Promise<DecoderChild> {
    for (const [child, timer] of this.idle) {
      clearTimeout(timer);
      this.idle.delete(child);
      if (!fresh && child.alive) return child;
      // Makes room, so that a retry never exceeds the configured number of processes.
      void this.dismiss(child);
      if (fresh) break;
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
