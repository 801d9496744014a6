import type { Response } from 'express';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { logger } from '../logging/logger.js';

/**
 * Streams a body with back-pressure. When the caller leaves, the source is closed at once; when the source breaks midway, the
 * connection is cut, so that a part is never taken for the whole. False when there is nothing to open: then nothing was sent.
 */
export async function sendStream(
  response: Response,
  open: (signal: AbortSignal) => Promise<Readable | Buffer | null>,
): Promise<boolean> {
  const gone = new AbortController();
  const onClose = () => gone.abort();
  response.once('close', onClose);
  try {
    const body = await open(gone.signal);
    if (body === null) return false;
    if (Buffer.isBuffer(body)) response.end(body);
    else await pipeline(body, response);
    return true;
  } catch (error) {
    if (gone.signal.aborted && !response.writableFinished) {
      logger.debug({ err: error }, 'the answer was not taken to its end');
      return true;
    }
    throw error;
  } finally {
    response.off('close', onClose);
  }
}
