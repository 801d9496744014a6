import { DecoderChild, type Outcome } from './decoder-child.js';
import { MediaUnavailableError, type MediaOptions } from './media.types.js';
import type { Job } from './protocol.js';

/** A few child processes, started when needed, and a bounded queue before them. */
export class DecoderPool {
  private running = 0;
  private closed = false;
  private readonly waiting: { go: () => void; refuse: (error: Error) => void }[] = [];
  private readonly idle = new Map<DecoderChild, NodeJS.Timeout>();
  private readonly children = new Set<DecoderChild>();

  constructor(private readonly options: MediaOptions) {}

  /** Process ids of the living children, for tests and diagnostics. */
  pids(): number[] {
    return [...this.children].filter((child) => child.alive).map((child) => child.pid ?? 0);
  }

  async run(job: Job, timeLimitMs: number, signal?: AbortSignal): Promise<Outcome> {
    await this.enter(signal);
    try {
      const first = await this.attempt(job, timeLimitMs, false, signal);
      if (first.kind !== 'crashed') return first;
      // A child may die of what an earlier file left behind, or of the machine's state: only a fresh one blames this file.
      return await this.attempt(job, timeLimitMs, true, signal);
    } finally {
      this.leave();
    }
  }

  async close(): Promise<void> {
    this.closed = true;
    for (const waiter of this.waiting.splice(0)) waiter.refuse(this.closing());
    for (const timer of this.idle.values()) clearTimeout(timer);
    this.idle.clear();
    await Promise.all([...this.children].map((child) => child.kill()));
  }

  private async attempt(
    job: Job,
    timeLimitMs: number,
    fresh: boolean,
    signal?: AbortSignal,
  ): Promise<Outcome> {
    if (this.closed) throw this.closing();
    signal?.throwIfAborted();
    const child = await this.take(fresh);
    let reusable = false;
    try {
      const outcome = await child.run(job, timeLimitMs, signal);
      if (this.closed && outcome.kind !== 'reply') throw this.closing();
      reusable =
        outcome.kind === 'reply' &&
        !outcome.reply.worn &&
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
      // Makes room, so that a retry never runs more processes than configured.
      void this.dismiss(child);
      if (fresh) break;
    }
    const child = await DecoderChild.start(this.options);
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

  private async enter(signal?: AbortSignal): Promise<void> {
    if (this.closed) throw this.closing();
    signal?.throwIfAborted();
    if (this.running < this.options.children) {
      this.running += 1;
      return;
    }
    if (this.waiting.length >= this.options.maxQueued) {
      throw new MediaUnavailableError('too many files are waiting to be decoded');
    }
    await new Promise<void>((resolve, reject) => {
      const onAbort = () => {
        this.waiting.splice(this.waiting.indexOf(waiter), 1);
        reject(signal?.reason as Error);
      };
      const waiter = {
        go: () => {
          signal?.removeEventListener('abort', onAbort);
          resolve();
        },
        refuse: (error: Error) => {
          signal?.removeEventListener('abort', onAbort);
          reject(error);
        },
      };
      signal?.addEventListener('abort', onAbort, { once: true });
      this.waiting.push(waiter);
    });
  }

  private leave(): void {
    const next = this.waiting.shift();
    // The place is handed on, not given back: a newcomer must not overtake the queue.
    if (next) next.go();
    else this.running -= 1;
  }

  private closing(): MediaUnavailableError {
    return new MediaUnavailableError('media decoding is shutting down');
  }
}
