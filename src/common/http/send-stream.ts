import type { Response } from 'express';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { logger } from '../logging/logger.js';

/**
 * Streams a body with back-pressure. When the caller leaves, the source is closed at once; when the source breaks midway, the
 * connection is cut, so that a part is never taken for the whole.
 */
export async function sendStream(
  response: Response,
  open: (signal: AbortSignal) => Promise<Readable | Buffer>,
): Promise<void> {
  const gone = new AbortController();
  const onClose = () => gone.abort();
  response.once('close', onClose);
  try {
    const body = await open(gone.signal);
    if (Buffer.isBuffer(body)) response.end(body);
    else await pipeline(body, response);
  } catch (error) {
    if (gone.signal.aborted && !response.writableFinished) {
      logger.debug({ err: error }, 'the answer was not taken to its end');
      return;
    }
    throw error;
  } finally {
    response.off('close', onClose);
  }
}
