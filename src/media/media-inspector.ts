import type { WorkOwner } from '../common/fair-limiter.js';
import { answerOf, timeLimitMs } from './answer.js';
import type { DecoderPool } from './decoder-pool.js';
import { checkedDetails } from './media-details.js';
import {
  MediaUnavailableError,
  type MediaDetails,
  type MediaFacts,
  type MediaOptions,
  type MediaSource,
  type SmallPicture,
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
    return (await this.look(owner, source, declared, null, signal)).facts;
  }

  /** As `inspect`; the same decoding also gives the picture, at most `pictureSide` pixels on a side. Videos give none. */
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
    const answer = answerOf(outcome, source);
    if (answer.kind !== 'facts') throw new MediaUnavailableError('the media decoder answered out of turn');
    const { takenAt } = answer.facts;
    const facts = { ...answer.facts, takenAt: takenAt === null ? null : new Date(takenAt) };
    const picture = pictureSide === null ? null : answer.picture;
    if (picture && !isWithin(picture, pictureSide!))
      throw new MediaUnavailableError('the media decoder answered with an impossible picture');
    return { facts, details: checkedDetails(answer.details), picture };
  }
}

/** A child may be in the hands of a hostile file: what it sends is kept only when it is what was asked for. */
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
