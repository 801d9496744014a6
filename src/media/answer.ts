import type { Outcome } from './decoder-child.js';
import { MediaError, MediaUnavailableError, type MediaOptions, type SupportedMime } from './media.types.js';
import type { Answer } from './protocol.js';

/** What a child answered, or the error that its silence or refusal means. */
export function answerOf(outcome: Outcome): Answer {
  switch (outcome.kind) {
    case 'reply':
      if (outcome.reply.kind === 'refused') throw new MediaError(outcome.reply.code, outcome.reply.message);
      if (outcome.reply.kind === 'unavailable') throw new MediaUnavailableError(outcome.reply.message);
      return outcome.reply;
    case 'crashed':
      throw new MediaError('media_invalid', 'The file could not be decoded: the decoder gave up on it.');
    case 'over_memory':
      throw new MediaError('media_invalid', 'The file needs too much memory to be decoded.');
    case 'timeout':
      if (outcome.ours) throw new MediaUnavailableError('the file could not be decoded in time');
      throw new MediaError('media_invalid', 'The file takes too long to be decoded.');
  }
}

export function timeLimitMs(mime: SupportedMime, options: MediaOptions): number {
  if (mime === 'video/mp4') return options.videoTimeLimitMs;
  return mime === 'image/heic' ? options.heicTimeLimitMs : options.imageTimeLimitMs;
}
