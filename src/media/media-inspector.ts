import type { Outcome } from './decoder-child.js';
import { DecoderPool } from './decoder-pool.js';
import {
  MediaError,
  MediaUnavailableError,
  type MediaFacts,
  type MediaOptions,
  type MediaSource,
  type SupportedMime,
} from './media.types.js';
import type { JobReply } from './protocol.js';

/** Verifies a file's bytes and extracts its facts, in child processes that hostile bytes may bring down. */
export class MediaInspector {
  private readonly pool: DecoderPool;

  constructor(private readonly options: MediaOptions) {
    this.pool = new DecoderPool(options);
  }

  /**
   * Rejects with `MediaError` when the file is wrong, with `MediaUnavailableError` when it could not be looked at,
   * and with the signal's reason when aborted.
   */
  async inspect(source: MediaSource, declared: SupportedMime, signal?: AbortSignal): Promise<MediaFacts> {
    const job = { source, declared, limits: this.options.limits };
    return this.factsOf(await this.pool.run(job, this.timeLimitMs(declared), signal));
  }

  /** Process ids of the living children, for tests and diagnostics. */
  childPids(): number[] {
    return this.pool.pids();
  }

  close(): Promise<void> {
    return this.pool.close();
  }

  private factsOf(outcome: Outcome): MediaFacts {
    switch (outcome.kind) {
      case 'reply':
        return this.factsOfReply(outcome.reply);
      case 'crashed':
        throw new MediaError('media_invalid', 'The file could not be decoded: the decoder gave up on it.');
      case 'over_memory':
        throw new MediaError('media_invalid', 'The file needs too much memory to be decoded.');
      case 'timeout':
        if (outcome.ours) throw new MediaUnavailableError('the file could not be inspected in time');
        throw new MediaError('media_invalid', 'The file takes too long to be decoded.');
    }
  }

  private factsOfReply(reply: JobReply): MediaFacts {
    switch (reply.kind) {
      case 'facts':
        return {
          ...reply.facts,
          takenAt: reply.facts.takenAt === null ? null : new Date(reply.facts.takenAt),
        };
      case 'refused':
        throw new MediaError(reply.code, reply.message);
      case 'unavailable':
        throw new MediaUnavailableError(reply.message);
    }
  }

  private timeLimitMs(declared: SupportedMime): number {
    if (declared === 'video/mp4') return this.options.videoTimeLimitMs;
    return declared === 'image/heic' ? this.options.heicTimeLimitMs : this.options.imageTimeLimitMs;
  }
}
