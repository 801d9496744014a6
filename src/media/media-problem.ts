import { Problem } from '../common/errors/problem.js';
import { DecoderKilledError, MediaError, MediaSourceError, MediaUnavailableError } from './media.types.js';

const RETRY_AFTER_SECONDS = 5;
/** Memory that ran out is not free again immediately. */
const RETRY_KILLED_SECONDS = 15;
/** From this number of kills on, a file is decoded only once in `DECODE_PAUSE_SECONDS`. */
export const MAX_DECODER_KILLS = 5;
export const DECODE_PAUSE_SECONDS = 86_400;

/** Maps decoder errors to problems; other errors are returned unchanged. */
export function mediaProblem(error: unknown): unknown {
  const options = { retryAfter: RETRY_AFTER_SECONDS, cause: error };
  if (error instanceof MediaError) return new Problem(error.code, error.message);
  if (error instanceof MediaSourceError)
    return new Problem('storage_unavailable', 'The stored file could not be read.', options);
  if (error instanceof DecoderKilledError)
    return new Problem(
      'server_busy',
      'The decoder of the file was killed, probably because the server ran out of memory. The file itself may be fine.',
      { ...options, retryAfter: RETRY_KILLED_SECONDS },
    );
  if (error instanceof MediaUnavailableError)
    return new Problem('server_busy', 'The file cannot be decoded at the moment.', options);
  return error;
}

export function decodedLater(kills: number, retryAfter: number): Problem {
  const hours = Math.max(1, Math.round(retryAfter / 3_600));
  const detail =
    `The decoder of this file was killed ${kills} times, probably because the server has too little memory. ` +
    `The file will be tried again in ${hours === 1 ? 'an hour' : `${hours} hours`}.`;
  return new Problem('server_busy', detail, { retryAfter });
}
