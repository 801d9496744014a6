import type { WorkOwner } from '../common/fair-limiter.js';
import { answerOf, timeLimitMs } from './answer.js';
import type { DecoderPool } from './decoder-pool.js';
import {
  MediaUnavailableError,
  type MediaOptions,
  type MediaSource,
  type Rendered,
  type RenderOutput,
  type SmallPicture,
  type SupportedMime,
} from './media.types.js';
import type { Answer } from './protocol.js';

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
    return renderedIn(answerOf(outcome, source));
  }

  /** Like `render`, from a picture that was decoded before. `original`: the size of the file it comes from. */
  async encode(
    owner: WorkOwner,
    picture: SmallPicture,
    original: { width: number; height: number },
    outputs: RenderOutput[],
  ): Promise<Rendered[]> {
    const { width, height } = original;
    const job = { kind: 'encode' as const, picture, width, height, outputs };
    return renderedIn(answerOf(await this.pool.run(owner, job, this.options.imageTimeLimitMs), null));
  }
}

function renderedIn(answer: Answer): Rendered[] {
  if (answer.kind !== 'rendered') throw new MediaUnavailableError('the media decoder answered out of turn');
  // Copies, because all outputs share the buffer of the message, which each of them would keep in memory.
  return answer.rendered.map((picture) => ({ ...picture, bytes: Buffer.from(picture.bytes) }));
}
