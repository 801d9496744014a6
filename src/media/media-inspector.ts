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
  type SmallPicture,
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
  ): Promise<MediaFacts> {
    return (await this.look(owner, source, declared, null, signal)).facts;
  }

  /** Like `inspect`; the same decoding also returns the picture, at most `pictureSide` pixels per side. Videos return none. */
  async look(
    owner: WorkOwner,
    source: MediaSource,
    declared: SupportedMime,
    pictureSide: number | null,
    signal?: AbortSignal,
  ): Promise<{ facts: MediaFacts; details: MediaDetails; picture: SmallPicture | null }> {
    const { limits } = this.options;
    const job = { kind: 'inspect' as const, source, declared, pictureSide, limits };
    const outcome = await this.pool.run(owner, job, timeLimitMs(declared, this.options), signal);
    const result = resultOf(outcome, source);
    if (result.kind !== 'facts')
      throw new MediaUnavailableError('the media decoder sent an unexpected reply');
    const { takenAt } = result.facts;
    const facts = { ...result.facts, takenAt: takenAt === null ? null : new Date(takenAt) };
    const picture = pictureSide === null ? null : result.picture;
    if (picture && !isWithin(picture, pictureSide!))
      throw new MediaUnavailableError('the media decoder returned an impossible picture');
    return { facts, details: checkedDetails(result.details), picture };
  }
}

/** A malicious file may control the child, so its reply is only kept if it matches the request. */
function isWithin({ width, height, channels, data }: SmallPicture, side: number): boolean {
  const fits = (length: number) => Number.isInteger(length) && length >= 1 && length <= side;
  return (
    fits(width) &&
    fits(height) &&
    (channels === 3 || channels === 4) &&
    data instanceof Uint8Array &&
    data.length === width * height * channels
  );
}
