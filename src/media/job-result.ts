import type { Outcome } from './decoder-child.js';
import {
  DecoderKilledError,
  MediaError,
  type MediaOptions,
  type MediaSource,
  MediaSourceError,
  MediaUnavailableError,
} from './media.types.js';
import { type DecoderName, fileType, type SupportedMime } from './file-types.js';
import type { JobResult } from './protocol.js';

/** The result of a job. Throws the error for a failure or a rejection. */
export function resultOf(outcome: Outcome, source: MediaSource): JobResult {
  switch (outcome.kind) {
    case 'reply':
      if (outcome.reply.kind === 'refused') throw new MediaError(outcome.reply.code, outcome.reply.message);
      if (outcome.reply.kind === 'unavailable') throw unreadable(source, outcome.reply.message);
      return outcome.reply;
    case 'crashed':
      throw new MediaError('media_invalid', 'The file could not be decoded: the decoder crashed.');
    case 'killed':
      throw new DecoderKilledError();
    case 'over_memory':
      throw new MediaError('media_invalid', 'The file needs too much memory to decode.');
    case 'timeout':
      if (outcome.ours) throw unreadable(source, 'the file could not be decoded in time');
      throw new MediaError('media_invalid', 'The file takes too long to decode.');
  }
}

/** A failure of our own disk is not the file's fault. */
function unreadable(source: MediaSource, message: string): Error {
  return source.kind === 'url' ? new MediaSourceError(message) : new MediaUnavailableError(message);
}

export function timeLimitMs(mime: SupportedMime, options: MediaOptions): number {
  const limits: Record<DecoderName, number> = {
    raster: options.imageTimeLimitMs,
    heic: options.heicTimeLimitMs,
    mp4: options.videoTimeLimitMs,
  };
  return limits[fileType(mime).decoder];
}
