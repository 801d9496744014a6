import type { Response } from 'express';

/** Aborted when the connection of the response closes, so that work nobody waits for can stop. */
export function closeSignal(response: Response): AbortSignal {
  const closed = new AbortController();
  if (response.closed) closed.abort();
  else response.once('close', () => closed.abort());
  return closed.signal;
}
