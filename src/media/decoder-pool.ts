import type { WorkOwner } from '../common/fair-limiter.js';
import { BytesReader } from './bytes-reader.js';
import type { Outcome, RangeReader } from './decoder-child.js';
import { DecoderGroup } from './decoder-group.js';
import { FileReader } from './file-reader.js';
import type { MediaOptions, MediaSource } from './media.types.js';
import type { InspectJob, Job, RenderJob } from './protocol.js';
import { UrlReader } from './url-reader.js';

/** A job before its file is opened. */
export type Task = (Omit<InspectJob, 'sizeBytes'> | Omit<RenderJob, 'sizeBytes'>) & { source: MediaSource };

/**
 * Two groups of children: one for foreground work and one for background work. A slow encoder in the background never holds a child that an
 * upload needs, and only gets CPU time that nobody else wants. If memory suffices for only one child, both kinds of work share it.
 */
export class DecoderPool {
  private readonly interactive: DecoderGroup;
  private readonly background: DecoderGroup;

  constructor(private readonly options: MediaOptions) {
    const inBackground = Math.floor(options.decoders / 2);
    this.interactive = new DecoderGroup(options, options.decoders - inBackground, false);
    this.background = inBackground === 0 ? this.interactive : new DecoderGroup(options, inBackground, true);
  }

  /** The process ids of the running children, for tests and diagnostics. */
  pids(priority?: WorkOwner['priority']): number[] {
    if (priority !== undefined) return this[priority].pids();
    return this.groups().flatMap((group) => group.pids());
  }

  run(owner: WorkOwner, task: Task, timeLimitMs: number, signal?: AbortSignal): Promise<Outcome> {
    const group = this[owner.priority];
    const work = async () => {
      // While foreground work waits for a child, background work does not start.
      if (group !== this.interactive) await this.interactive.whenUncrowded();
      const { source, ...rest } = task;
      const reader = await this.open(source);
      try {
        return await this.decode(group, { ...rest, sizeBytes: reader.size }, reader, timeLimitMs, signal);
      } finally {
        await reader.close();
      }
    };
    return group.inTurn(owner, work, signal);
  }

  async close(): Promise<void> {
    await Promise.all(this.groups().map((group) => group.close()));
  }

  private groups(): DecoderGroup[] {
    return [...new Set([this.interactive, this.background])];
  }

  /**
   * A child may crash because of an earlier file, and it may be killed because memory ran out. Only two crashes, the second one in a fresh
   * child and with memory to spare, prove that this file is the cause.
   */
  private async decode(
    group: DecoderGroup,
    job: Job,
    reader: RangeReader,
    timeLimitMs: number,
    signal?: AbortSignal,
  ): Promise<Outcome> {
    const first = await group.run(job, reader, timeLimitMs, false, signal);
    if (first.kind !== 'crashed' && first.kind !== 'killed') return first;
    await Promise.all(this.groups().map((each) => each.dismissIdle()));
    const second = await group.run(job, reader, timeLimitMs, true, signal);
    if (second.kind !== 'crashed') return second;
    return first.kind === 'crashed' && this.options.hasFreeMemory() ? second : { kind: 'killed' };
  }

  private async open(source: MediaSource): Promise<RangeReader> {
    if (source.kind === 'bytes') return new BytesReader(source.bytes);
    if (source.kind === 'file') return FileReader.open(source.path);
    return new UrlReader(source.url, source.sizeBytes, this.options.limits.sourceTimeoutMs);
  }
}
