import contentDisposition from 'content-disposition';
import type { Request, Response } from 'express';
import type { Readable } from 'node:stream';
import { requestedRange } from './byte-range.js';
import { sendStream } from './send-stream.js';

export interface FileToSend {
  /** A hash of the content: the same bytes have the same hash. */
  readonly sha256: string;
  readonly sizeBytes: number;
  readonly contentType: string;
  readonly filename: string;
  readonly disposition: 'attachment' | 'inline';
  /** The whole content, if it is in memory. Then nothing is opened. */
  readonly bytes?: Buffer | undefined;
}

export type OpenFile = (
  range: { start: number; end: number } | null,
  signal: AbortSignal,
) => Promise<Readable | Buffer | null>;

/**
 * Sends a file with full HTTP support: strong ETag, 304, single ranges, `If-Range`, HEAD, safe headers. Returns false, without sending
 * anything, if there is nothing to open.
 */
export async function sendFile(
  request: Request,
  response: Response,
  file: FileToSend,
  open: OpenFile,
): Promise<boolean> {
  const etag = `"${file.sha256}"`;
  response.setHeader('ETag', etag);
  // Unless the handler sets something else, browsers must revalidate, so callers who lost access get no 304 either.
  if (!response.hasHeader('Cache-Control')) response.setHeader('Cache-Control', 'private, no-cache');
  response.setHeader('Accept-Ranges', 'bytes');
  if (isKnown(request.headers['if-none-match'], etag)) {
    response.status(304).end();
    return true;
  }
  const range = requestedRange(request, file.sizeBytes, etag);
  response.setHeader('Content-Type', file.contentType);
  response.setHeader(
    'Content-Disposition',
    contentDisposition.create(file.filename, { type: file.disposition }),
  );
  // A browser must never execute these bytes.
  response.setHeader('Content-Security-Policy', "default-src 'none'; sandbox");
  response.setHeader('Content-Length', range ? range.end - range.start + 1 : file.sizeBytes);
  response.status(range ? 206 : 200);
  if (range) response.setHeader('Content-Range', `bytes ${range.start}-${range.end}/${file.sizeBytes}`);
  else response.removeHeader('Content-Range');
  if (request.method !== 'HEAD' && !file.bytes) return sendStream(response, (signal) => open(range, signal));
  // Node sends no body in response to HEAD.
  response.end(range ? file.bytes?.subarray(range.start, range.end + 1) : file.bytes);
  return true;
}

/** RFC 9110, section 13.1.2. Express's `fresh` ignores the condition if the caller also sends `no-cache`, as `fetch` does. */
function isKnown(condition: string | undefined, etag: string): boolean {
  if (condition === undefined) return false;
  return condition.split(',').some((given) => ['*', etag].includes(given.trim().replace(/^W\//, '')));
}
