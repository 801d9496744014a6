import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Credentials, authenticate } from './protocol/authentication.js';
import { respondToPreflight, headersForOrigin } from './protocol/cors-handling.js';
import type { Disk } from './disk/disk.js';
import type { Reply } from './protocol/reply.js';
import { RequestBody } from './protocol/request-body.js';
import { routeFor } from './routes.js';
import { S3Error } from './protocol/s3-error.js';
import { type S3Request, parseRequest } from './protocol/s3-request.js';
import { sendReply } from './protocol/send-reply.js';

/** Handles one request from start to end: parse, authenticate, run, respond. Never rejects. */
export async function handleRequest(
  disk: Disk,
  credentials: Credentials,
  message: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const requestId = randomBytes(8).toString('hex').toUpperCase();
  response.setHeader('x-amz-request-id', requestId);
  let reply: Reply | undefined;
  try {
    reply = await replyTo(disk, credentials, message, response);
    await sendReply(message, response, reply);
  } catch (error) {
    if (response.headersSent || message.socket.destroyed) {
      response.destroy();
      return;
    }
    for (const name of Object.keys(reply?.headers ?? {})) response.removeHeader(name);
    await sendReply(message, response, errorReply(error, message, requestId)).catch(() => response.destroy());
  } finally {
    await reply?.release?.();
  }
}

async function replyTo(
  disk: Disk,
  credentials: Credentials,
  message: IncomingMessage,
  response: ServerResponse,
): Promise<Reply> {
  const request = parseRequest(message);
  const bucket = disk.findBucket(request.bucket);
  if (request.method === 'OPTIONS') return respondToPreflight(bucket, request.headers);
  const cors = headersForOrigin(bucket, request.method, request.headers['origin']);
  for (const [name, value] of Object.entries(cors)) response.setHeader(name, value);

  rejectUnknownLength(request);
  const authentication = authenticate(request, credentials);
  const trusted = { ...request, headers: { ...hoistedHeaders(request), ...request.headers } };
  const route = routeFor(trusted);
  const body = new RequestBody(message, trusted.headers, authentication, () => {
    // Only now, so that a client that sent "Expect: 100-continue" is rejected before it sends its body.
    if (request.headers['expect']?.toLowerCase() === '100-continue') response.writeContinue();
  });
  const text = route.streams ? '' : await body.text();
  return route.run({ disk, request: trusted, body, text });
}

/** A presigned URL can contain in its query what would otherwise be a header, as in S3. */
function hoistedHeaders({ query }: S3Request): Record<string, string> {
  if (!query.has('X-Amz-Signature')) return {};
  const hoisted = query.pairs.filter(([name]) => /^x-amz-/.test(name));
  return Object.fromEntries(hoisted);
}

/** Checked before the signature, which cannot match if the length it covers is missing, so that the client gets the actual cause. */
function rejectUnknownLength({ method, headers }: S3Request): void {
  if (method !== 'PUT' || headers['transfer-encoding'] === undefined) return;
  if (headers['x-amz-decoded-content-length'] === undefined) throw new S3Error('MissingContentLength');
}

function errorReply(error: unknown, message: IncomingMessage, requestId: string): Reply {
  const isExpected = error instanceof S3Error;
  const known = isExpected ? error : new S3Error('InternalError');
  const path = (message.url ?? '').split('?', 1)[0]!;
  if (!isExpected) process.stderr.write(`object store: ${message.method} ${path}: ${String(error)}\n`);
  return {
    status: known.status,
    headers: { ...known.extras.headers, 'content-type': 'application/xml' },
    body: known.toXml(path, requestId),
  };
}
