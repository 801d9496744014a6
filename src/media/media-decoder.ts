import type { OnApplicationShutdown } from '@nestjs/common';
import type { WorkOwner } from '../common/fair-limiter.js';
import type { DecoderPool } from './decoder-pool.js';
import type { SupportedMime } from './file-types.js';
import { resultOf, timeLimitMs } from './job-result.js';
import { checkedDetails } from './media-details.js';
import {
  MediaUnavailableError,
  type MediaDetails,
  type MediaFacts,
  type MediaOptions,
  type MediaSource,
  type Rendered,
  type RenderOutput,
} from './media.types.js';

/** Decodes files in child processes that untrusted bytes may crash. */
export class MediaDecoder implements OnApplicationShutdown {
  constructor(
    private readonly pool: DecoderPool,
    private readonly options: MediaOptions,
  ) {}

  /**
   * Verifies a file and extracts its facts. Rejects with `MediaError` if the file is invalid, with `MediaUnavailableError` if it could not
   * be checked, with `MediaSourceError` if it could not be read, and with the signal's reason if aborted.
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
    if (result.kind !== 'facts') throw unexpectedReply();
    const { takenAt } = result.facts;
    const facts = { ...result.facts, takenAt: takenAt === null ? null : new Date(takenAt) };
    return { facts, details: checkedDetails(result.details) };
  }

  /** Makes pictures from a verified file: all outputs or none. Rejects like `inspect`. */
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
    const result = resultOf(outcome, source);
    if (result.kind !== 'rendered') throw unexpectedReply();
    // Copies, because all outputs share the buffer of the message, which each of them would keep in memory.
    return result.rendered.map((picture) => ({ ...picture, bytes: Buffer.from(picture.bytes) }));
  }

  onApplicationShutdown(): Promise<void> {
    return this.pool.close();
  }
}

function unexpectedReply(): Error {
  return new MediaUnavailableError('the media decoder sent an unexpected reply');
}
