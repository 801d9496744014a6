import type { WorkOwner } from '../common/fair-limiter.js';
import { resultOf, timeLimitMs } from './job-result.js';
import type { DecoderPool } from './decoder-pool.js';
import type { SupportedMime } from './file-types.js';
import {
  MediaUnavailableError,
  type MediaOptions,
  type MediaSource,
  type Rendered,
  type RenderOutput,
} from './media.types.js';
import type { JobResult } from './protocol.js';

/** Makes pictures from a verified file, in the same child processes that inspect new ones. */
export class MediaRenderer {
  constructor(
    private readonly pool: DecoderPool,
    private readonly options: MediaOptions,
  ) {}

  /** All outputs or none. Rejects like `MediaInspector.inspect`. */
  async render(
    owner: WorkOwner,
    source: MediaSource,
    mimeType: SupportedMime,
    outputs: RenderOutput[],
    signal?: AbortSignal,
  ): Promise<Rendered[]> {
    const { limits } = this.options;
    const job = { kind: 'render' as const, source, declared: mimeType, outputs, limits };
    const outcome = await this.pool.run(owner, job, timeLimitMs(mimeType, this.options), signal);
    return renderedIn(resultOf(outcome, source));
  }
}

function renderedIn(result: JobResult): Rendered[] {
  if (result.kind !== 'rendered')
    throw new MediaUnavailableError('the media decoder sent an unexpected reply');
  // Copies, because all outputs share the buffer of the message, which each of them would keep in memory.
  return result.rendered.map((picture) => ({ ...picture, bytes: Buffer.from(picture.bytes) }));
}
