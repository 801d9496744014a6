import type { Response } from 'express';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { logger } from '../logging/logger.js';

/**
 * Streams a body with back-pressure. If the caller disconnects, the source is closed immediately. If the source fails midway, the
 * connection is closed, so that a partial body is never mistaken for a complete one. Returns false, without sending anything, if there is
 * nothing to open. `closed`: aborted when the response closes, if the caller has such a signal already. Node warns of more than ten
 * listeners, and `pipeline` adds seven.
 */
export async function sendStream(
  response: Response,
  open: (signal: AbortSignal) => Promise<Readable | Buffer | null>,
  closed?: AbortSignal,
): Promise<boolean> {
  if (response.closed) return true;
  const own = new AbortController();
  const gone = closed ?? own.signal;
  const onClose = () => own.abort();
  if (closed === undefined) response.once('close', onClose);
  let broken = false;
  try {
    const body = await open(gone);
    if (body === null) return false;
    if (Buffer.isBuffer(body)) {
      response.end(body);
      return true;
    }
    body.once('error', () => (broken = !gone.aborted));
    await somethingToSend(body);
    await pipeline(body, response);
    return true;
  } catch (error) {
    if (broken || !gone.aborted || response.writableFinished) throw error;
    logger.debug({ err: error }, 'client disconnected before the response was complete');
    return true;
  } finally {
    response.off('close', onClose);
  }
}

/** Until then, a failure of the source can still be reported. */
function somethingToSend(body: Readable): Promise<void> {
  if (body.readableLength > 0 || body.readableEnded || body.destroyed) return Promise.resolve();
  return new Promise((resolve, reject) => {
    const settle = (error?: Error) => {
      body.off('readable', settle).off('error', settle).off('close', settle);
      if (error) reject(error);
      else resolve();
    };
    body.once('readable', settle).once('error', settle).once('close', settle);
  });
}
