import type { IncomingMessage } from 'node:http';
import type { Authentication } from './authentication.js';
import { BodyChecks, type BodyDigests } from './checksums.js';
import { ChunkSignatures, decodeChunked } from './chunked-body.js';
import { S3Error } from './s3-error.js';

const MAX_PUT = 5 * 1024 ** 3;
const MAX_TEXT = 1024 * 1024;
const UNSIGNED = 'UNSIGNED-PAYLOAD';
const UNSIGNED_CHUNKS = 'STREAMING-UNSIGNED-PAYLOAD-TRAILER';
const SIGNED_CHUNKS = /^STREAMING-AWS4-HMAC-SHA256-PAYLOAD(-TRAILER)?$/;

/**
 * The body of a request, decoded from aws-chunked if necessary. Reading it to the end verifies everything the request declared (length,
 * hashes, signatures), so a reader that stores the data must only commit after the end.
 */
export class RequestBody implements AsyncIterable<Buffer> {
  private result?: BodyDigests;

  constructor(
    private readonly message: IncomingMessage,
    private readonly headers: Record<string, string>,
    private readonly authentication: Authentication,
    private readonly onRead: () => void,
  ) {}

  /** For uploads: the size must be known in advance and allowed. */
  requireLength(): void {
    const length = this.declaredLength();
    if (length === undefined) throw new S3Error('MissingContentLength');
    if (length > MAX_PUT)
      throw new S3Error('EntityTooLarge', undefined, { details: { MaxSizeAllowed: String(MAX_PUT) } });
  }

  /** Known once the body has been read completely. */
  get digests(): BodyDigests {
    if (!this.result) throw new Error('The body has not been read yet');
    return this.result;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Buffer> {
    const declared = this.declaredLength();
    const checks = new BodyChecks(this.headers, this.authentication.payload);
    const trailers: Record<string, string> = {};
    let received = 0;
    for await (const chunk of this.decoded(trailers)) {
      received += chunk.length;
      if (declared !== undefined && received > declared) throw new S3Error('IncompleteBody');
      checks.update(chunk);
      yield chunk;
    }
    if (declared !== undefined && received !== declared) throw new S3Error('IncompleteBody');
    this.result = checks.finish(trailers);
  }

  async text(): Promise<string> {
    const chunks: Buffer[] = [];
    let size = 0;
    for await (const chunk of this) {
      size += chunk.length;
      if (size > MAX_TEXT) throw new S3Error('MalformedXML', 'The document is too large.');
      chunks.push(chunk);
    }
    return Buffer.concat(chunks).toString('utf8');
  }

  private decoded(trailers: Record<string, string>): AsyncIterable<Buffer> {
    const { payload } = this.authentication;
    const isPlain = payload === UNSIGNED || /^[0-9a-f]{64}$/.test(payload);
    if (!isPlain && payload !== UNSIGNED_CHUNKS && !SIGNED_CHUNKS.test(payload)) {
      throw new S3Error('InvalidArgument', 'x-amz-content-sha256 is not a hash or a supported keyword.');
    }
    this.onRead();
    // Abandoning a body must not destroy the socket, because the response is still sent through it.
    const raw = this.message.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>;
    if (isPlain) return raw;
    const signatures = payload === UNSIGNED_CHUNKS ? undefined : new ChunkSignatures(this.authentication);
    return decodeChunked(raw, trailers, signatures);
  }

  private declaredLength(): number | undefined {
    const isChunked = this.authentication.payload.startsWith('STREAMING-');
    const text = this.headers[isChunked ? 'x-amz-decoded-content-length' : 'content-length'];
    if (text === undefined) return undefined;
    if (!/^\d{1,15}$/.test(text)) throw new S3Error('InvalidArgument', 'The content length is not a number.');
    return Number(text);
  }
}
