import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Reply } from './reply.js';

// Enough for a client to notice the response while it is still sending, but not enough to keep us busy.
const LINGER_BYTES = 64 * 1024 * 1024;
const LINGER_MS = 10_000;

/** Sends a reply at the speed of the client. */
export async function sendReply(
  message: IncomingMessage,
  response: ServerResponse,
  reply: Reply,
): Promise<void> {
  const { status, headers = {}, body } = reply;
  response.statusCode = status;
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  if (typeof body === 'string') response.setHeader('content-length', Buffer.byteLength(body));
  else if (!body && status !== 204 && status !== 304) response.setHeader('content-length', 0);

  const mustLinger = !message.complete;
  if (mustLinger) response.setHeader('connection', 'close');
  if (body !== undefined && message.method !== 'HEAD') {
    if (typeof body === 'string') response.write(body);
    else await sendChunks(response, body);
  }
  if (mustLinger) {
    response.flushHeaders();
    await discardRest(message);
  }
  response.end();
}

async function sendChunks(response: ServerResponse, chunks: AsyncIterable<Buffer>): Promise<void> {
  for await (const chunk of chunks) {
    if (response.destroyed) return;
    if (!response.write(chunk)) await takenOrGone(response);
  }
}

function takenOrGone(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    if (response.destroyed) return resolve();
    const settle = () => {
      response.off('drain', settle);
      response.off('close', settle);
      resolve();
    };
    response.on('drain', settle);
    response.on('close', settle);
  });
}

/**
 * Closing a connection while the client still sends resets it, and the client may lose the response. A rejected upload is therefore read
 * and discarded for a while before the connection is closed.
 */
async function discardRest(message: IncomingMessage): Promise<void> {
  const timer = setTimeout(() => message.destroy(), LINGER_MS);
  let left = LINGER_BYTES;
  try {
    for await (const chunk of message.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      left -= chunk.length;
      if (left < 0) return;
    }
  } catch {
    // The client has disconnected, which is what we were waiting for.
  } finally {
    clearTimeout(timer);
  }
}
