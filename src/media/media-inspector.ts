import type { WorkOwner } from '../common/fair-limiter.js';
import { resultOf, timeLimitMs } from './job-result.js';
import type { DecoderPool } from './decoder-pool.js';
import { checkedDetails } from './media-details.js';
import type { SupportedMime } from './file-types.js';
import {
  MediaUnavailableError,
  type MediaDetails,
  type MediaFacts,
  type MediaOptions,
  type MediaSource,
} from './media.types.js';

/** Verifies a file and extracts its facts, in child processes that untrusted bytes may crash. */
export class MediaInspector {
  constructor(
    private readonly pool: DecoderPool,
    private readonly options: MediaOptions,
  ) {}

  /**
   * Rejects with `MediaError` if the file is invalid, with `MediaUnavailableError` if it could not be checked, with `MediaSourceError` if
   * it could not be read, and with the signal's reason if aborted.
   */
  async inspect(
    owner: WorkOwner,
    source: MediaSource,
    declared: SupportedMime,
    signal?: AbortSignal,
  ): Promise<{ facts: MediaFacts; details: MediaDetails }> {
    const { limits } = this.options;
    const job = { kind: 'inspect' as const, source, declared, limits };
    const outcome = await this.pool.run(owner, job, timeLimitMs(declared, this.options), signal);
    const result = resultOf(outcome, source);
    if (result.kind !== 'facts')
      throw new MediaUnavailableError('the media decoder sent an unexpected reply');
    const { takenAt } = result.facts;
    const facts = { ...result.facts, takenAt: takenAt === null ? null : new Date(takenAt) };
    return { facts, details: checkedDetails(result.details) };
  }
}
