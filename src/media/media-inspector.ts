import type { WorkOwner } from '../common/fair-limiter.js';
import { answerOf, timeLimitMs } from './answer.js';
import type { DecoderPool } from './decoder-pool.js';
import {
  MediaUnavailableError,
  type MediaFacts,
  type MediaOptions,
  type MediaSource,
  type SupportedMime,
} from './media.types.js';

/** Verifies a file's bytes and extracts its facts, in child processes that hostile bytes may bring down. */
export class MediaInspector {
  constructor(
    private readonly pool: DecoderPool,
    private readonly options: MediaOptions,
  ) {}

  /**
   * Rejects with `MediaError` when the file is wrong, with `MediaUnavailableError` when it could not be looked at, with
   * `MediaSourceError` when it could not be read, and with the signal's reason when aborted.
   */
  async inspect(
    owner: WorkOwner,
    source: MediaSource,
    declared: SupportedMime,
    signal?: AbortSignal,
  ): Promise<MediaFacts> {
    const job = { kind: 'inspect' as const, source, declared, limits: this.options.limits };
    const outcome = await this.pool.run(owner, job, timeLimitMs(declared, this.options), signal);
    const answer = answerOf(outcome, source);
    if (answer.kind !== 'facts') throw new MediaUnavailableError('the media decoder answered out of turn');
    const { takenAt } = answer.facts;
    return { ...answer.facts, takenAt: takenAt === null ? null : new Date(takenAt) };
  }
}
