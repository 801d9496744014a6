import { FairLimiter, type WorkOwner } from '../common/fair-limiter.js';
import { DecoderChild, type Outcome, type RangeReader } from './decoder-child.js';
import { FileReader } from './file-reader.js';
import {
  type DecodeLimits,
  MediaUnavailableError,
  type MediaOptions,
  type MediaSource,
} from './media.types.js';
import type { InspectJob, Job, RenderJob } from './protocol.js';
import { UrlReader } from './url-reader.js';

/** A job before its file is opened. */
export type Task = (Omit<InspectJob, 'sizeBytes'> | Omit<RenderJob, 'sizeBytes'>) & { source: MediaSource };

/** A few child processes, started when needed and shared fairly between clients. */
export class DecoderPool {
  private closed = false;
  private readonly limiter: FairLimiter;
  private readonly idle = new Map<DecoderChild, NodeJS.Timeout>();
  private readonly children = new Set<DecoderChild>();

  constructor(private readonly options: MediaOptions) {
    const { children, maxQueued, maxQueuedPerClient } = options;
    this.limiter = new FairLimiter({
      // One more than a client may use: while it decodes slow files, the next client finds a free child.
      capacity: children + 1,
      perClient: children,
      background: children,
      maxQueued,
      maxQueuedPerClient,
      full: () => new MediaUnavailableError('too many files are waiting to be decoded'),
    });
  }

  /** Process ids of the living children, for tests and diagnostics. */
  pids(): number[] {
    return [...this.children].filter((child) => child.alive).map((child) => child.pid ?? 0);
  }

  async run(owner: WorkOwner, task: Task, timeLimitMs: number, signal?: AbortSignal): Promise<Outcome> {
    const work = async () => {
      const { source, ...rest } = task;
      const reader = await open(source, task.limits);
      try {
        const job = { ...rest, sizeBytes: reader.size };
        const first = await this.attempt(job, reader, timeLimitMs, false, signal);
        if (first.kind !== 'crashed') return first;
        // A child may die of what an earlier file left behind, or of the machine's state: only a fresh one blames this file.
        return await this.attempt(job, reader, timeLimitMs, true, signal);
      } finally {
        await reader.close();
      }
    };
    return this.limiter.run(owner, work, { signal });
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

  private closing(): MediaUnavailableError {
    return new MediaUnavailableError('media decoding is shutting down');
  }
}

function open(source: MediaSource, limits: DecodeLimits): Promise<RangeReader> {
  if (source.kind === 'file') return FileReader.open(source.path);
  return Promise.resolve(new UrlReader(source.url, source.sizeBytes, limits.sourceTimeoutMs));
}
