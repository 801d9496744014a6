import { createHash } from 'node:crypto';
import type { Authentication } from './authentication.js';
import { ByteReader } from './byte-reader.js';
import { S3Error } from './s3-error.js';
import { ALGORITHM, sameSignature, sha256Hex, sign } from './sigv4.js';

const EMPTY_HASH = sha256Hex('');
const TRAILER_SIGNATURE = 'x-amz-trailer-signature';
const MAX_TRAILERS = 16;

/**
 * Decodes an aws-chunked body: `size[;chunk-signature=…]`, the bytes, and trailers after the chunk of size zero, which are added to
 * `trailers`. With `signatures`, each chunk must be signed. Its bytes are passed on before the signature is verified, so the reader must
 * discard all of them if this throws.
 */
export async function* decodeChunked(
  source: AsyncIterable<Buffer>,
  trailers: Record<string, string>,
  signatures?: ChunkSignatures,
): AsyncGenerator<Buffer> {
  const reader = new ByteReader(source);
  try {
    for (;;) {
      const header = /^([0-9a-fA-F]{1,12})(?:;chunk-signature=([0-9a-f]{64}))?$/.exec(await reader.line());
      if (!header) throw new S3Error('InvalidRequest', 'The chunked body has a malformed chunk header.');
      const size = parseInt(header[1]!, 16);
      const hash = createHash('sha256');
      for await (const piece of reader.take(size)) {
        if (signatures) hash.update(piece);
        yield piece;
      }
      signatures?.requireChunkSignature(hash.digest('hex'), header[2]);
      if (size === 0) break;
      if ((await reader.line()) !== '')
        throw new S3Error('InvalidRequest', 'A chunk is longer than its declared size.');
    }
    await readTrailers(reader, trailers, signatures);
    await reader.expectEnd();
  } finally {
    await reader.close();
  }
}

async function readTrailers(
  reader: ByteReader,
  trailers: Record<string, string>,
  signatures: ChunkSignatures | undefined,
): Promise<void> {
  let signed = '';
  let signature: string | undefined;
  for (let count = 0; ; count++) {
    const line = await reader.line();
    if (line === '') break;
    const colon = line.indexOf(':');
    if (colon < 1 || count >= MAX_TRAILERS) throw new S3Error('MalformedTrailerError');
    const name = line.slice(0, colon).trim().toLowerCase();
    const value = line.slice(colon + 1).trim();
    if (name === TRAILER_SIGNATURE) signature = value;
    else {
      trailers[name] = value;
      signed += `${name}:${value}\n`;
    }
  }
  if (signed) signatures?.requireTrailerSignature(sha256Hex(signed), signature);
}

/** The chain of signatures of a signed body: each covers its chunk and the previous signature. */
export class ChunkSignatures {
  private previous: string;

  constructor(private readonly authentication: Authentication) {
    this.previous = authentication.signature;
  }

  requireChunkSignature(hash: string, provided: string | undefined): void {
    this.requireSignature([`${ALGORITHM}-PAYLOAD`, ...this.context(), EMPTY_HASH, hash], provided);
  }

  requireTrailerSignature(hash: string, provided: string | undefined): void {
    this.requireSignature(['AWS4-HMAC-SHA256-TRAILER', ...this.context(), hash], provided);
  }

  private context(): string[] {
    return [this.authentication.timestamp, this.authentication.scope, this.previous];
  }

  private requireSignature(lines: string[], provided = ''): void {
    const expected = sign(this.authentication.signingKey, lines.join('\n'));
    if (!sameSignature(expected, provided)) throw new S3Error('SignatureDoesNotMatch');
    this.previous = expected;
  }
}
