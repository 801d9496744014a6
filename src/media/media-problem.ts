import { Problem } from '../common/errors/problem.js';
import { MediaError, MediaSourceError, MediaUnavailableError } from './media.types.js';

const RETRY_AFTER_SECONDS = 5;

/** Maps decoder errors to problems; other errors are returned unchanged. */
export function mediaProblem(error: unknown): unknown {
  const options = { retryAfter: RETRY_AFTER_SECONDS, cause: error };
  if (error instanceof MediaError) return new Problem(error.code, error.message);
  if (error instanceof MediaSourceError)
    return new Problem('storage_unavailable', 'The stored file could not be read.', options);
  if (error instanceof MediaUnavailableError)
    return new Problem('server_busy', 'The file cannot be decoded at the moment.', options);
  return error;
}
