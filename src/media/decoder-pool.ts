import type { WorkOwner } from '../common/fair-limiter.js';
import { BytesReader, NO_FILE } from './bytes-reader.js';
import type { Outcome, RangeReader } from './decoder-child.js';
import { DecoderGroup } from './decoder-group.js';
import { FileReader } from './file-reader.js';
import type { MediaOptions, MediaSource } from './media.types.js';
import type { EncodeJob, InspectJob, RenderJob } from './protocol.js';
import { UrlReader } from './url-reader.js';

/** A job before its file is opened. */
export type Task =
  ((Omit<InspectJob, 'sizeBytes'> | Omit<RenderJob, 'sizeBytes'>) & { source: MediaSource }) | EncodeJob;

/**
 * Two groups of children: one for foreground work and one for background work. A slow encoder in the background never holds a child that an
 * upload needs, and only gets CPU time that nobody else wants.
 */
export class DecoderPool {
  private readonly interactive: DecoderGroup;
  private readonly background: DecoderGroup;

  constructor(private readonly options: MediaOptions) {
    this.interactive = new DecoderGroup(options, false);
    this.background = new DecoderGroup(options, true);
  }

  /** The process ids of the running children, for tests and diagnostics. */
  pids(priority?: WorkOwner['priority']): number[] {
    if (priority !== undefined) return this[priority].pids();
    return [...this.interactive.pids(), ...this.background.pids()];
  }

  run(owner: WorkOwner, task: Task, timeLimitMs: number, signal?: AbortSignal): Promise<Outcome> {
    const group = this[owner.priority];
    const work = async () => {
      // While foreground work waits for a child, background work does not start.
      if (group === this.background) await this.interactive.whenUncrowded();
      if (task.kind === 'encode') return group.run(task, NO_FILE, timeLimitMs, signal);
      const { source, ...rest } = task;
      const reader = await this.open(source);
      try {
        return await group.run({ ...rest, sizeBytes: reader.size }, reader, timeLimitMs, signal);
      } finally {
        await reader.close();
      }
    };
    return group.inTurn(owner, work, signal);
  }

  async close(): Promise<void> {
    await Promise.all([this.interactive.close(), this.background.close()]);
  }

  private async open(source: MediaSource): Promise<RangeReader> {
    if (source.kind === 'bytes') return new BytesReader(source.bytes);
    if (source.kind === 'file') return FileReader.open(source.path);
    return new UrlReader(source.url, source.sizeBytes, this.options.limits.sourceTimeoutMs);
  }
}
