import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { S3Error } from './s3-error.js';

interface Digest {
  update(chunk: Buffer): unknown;
  digest(): Buffer;
}

class Crc32 implements Digest {
  private value = 0;

  update(chunk: Buffer): void {
    this.value = crc32(chunk, this.value);
  }

  digest(): Buffer {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32BE(this.value);
    return bytes;
  }
}

const CHECKSUM_HEADER = /^x-amz-checksum-(crc\w+|sha\w+)$/;

const algorithms: Record<string, () => Digest> = {
  'x-amz-checksum-crc32': () => new Crc32(),
  'x-amz-checksum-sha1': () => createHash('sha1'),
  'x-amz-checksum-sha256': () => createHash('sha256'),
};

export interface BodyDigests {
  /** In hex: the ETag of an object or part. */
  md5: string;
  /** The additional checksums sent by the client, all of which matched. */
  checksums: Record<string, string>;
}

/** Computes the declared digests while a body is streamed, and compares them at the end. */
export class BodyChecks {
  private readonly md5 = createHash('md5');
  private readonly payload?: Digest;
  private readonly checksums = new Map<string, Digest>();

  constructor(
    private readonly headers: Record<string, string>,
    private readonly payloadHash: string,
  ) {
    const trailer = headers['x-amz-trailer']?.trim().toLowerCase();
    for (const name of [...Object.keys(headers), ...(trailer ? [trailer] : [])]) {
      if (!CHECKSUM_HEADER.test(name)) continue;
      const create = algorithms[name];
      // Accepting a checksum without verifying it would be worse than rejecting it.
      if (!create) throw new S3Error('NotImplemented', `${name} is not implemented.`);
      this.checksums.set(name, create());
    }
    if (/^[0-9a-f]{64}$/.test(payloadHash)) this.payload = createHash('sha256');
  }

  update(chunk: Buffer): void {
    this.md5.update(chunk);
    this.payload?.update(chunk);
    for (const digest of this.checksums.values()) digest.update(chunk);
  }

  finish(trailers: Record<string, string>): BodyDigests {
    if (this.payload && this.payload.digest().toString('hex') !== this.payloadHash) {
      throw new S3Error('XAmzContentSHA256Mismatch');
    }
    const md5 = this.md5.digest();
    compare('content-md5', this.headers['content-md5'], md5);
    const checksums: Record<string, string> = {};
    for (const [name, digest] of this.checksums) {
      const actual = digest.digest();
      const expected = this.headers[name] ?? trailers[name];
      if (expected === undefined)
        throw new S3Error('MalformedTrailerError', `The trailer ${name} is missing.`);
      compare(name, expected, actual);
      checksums[name] = actual.toString('base64');
    }
    return { md5: md5.toString('hex'), checksums };
  }
}

function compare(name: string, expected: string | undefined, actual: Buffer): void {
  if (expected === undefined) return;
  const bytes = Buffer.from(expected, 'base64');
  if (bytes.length !== actual.length || bytes.toString('base64') !== expected) {
    throw new S3Error('InvalidDigest', `The value of ${name} is not valid.`);
  }
  if (!bytes.equals(actual))
    throw new S3Error('BadDigest', `The ${name} you specified did not match what was received.`);
}
