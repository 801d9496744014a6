import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { S3Request } from './s3-request.js';

export const ALGORITHM = 'AWS4-HMAC-SHA256';

export function sha256Hex(data: string | Buffer): string {
  return createHash('sha256').update(data).digest('hex');
}

/** The key for one day, region and service, derived from the secret. */
export function deriveSigningKey(secret: string, date: string, region: string, service: string): Buffer {
  return [date, region, service, 'aws4_request'].reduce<Buffer>(
    (key, part) => createHmac('sha256', key).update(part).digest(),
    Buffer.from(`AWS4${secret}`),
  );
}

export function sign(signingKey: Buffer, stringToSign: string): string {
  return createHmac('sha256', signingKey).update(stringToSign).digest('hex');
}

export function sameSignature(expected: string, provided: string): boolean {
  const a = Buffer.from(expected);
  const b = Buffer.from(provided);
  return a.length === b.length && timingSafeEqual(a, b);
}

export function canonicalRequest(request: S3Request, signedHeaders: string[], payload: string): string {
  return [
    request.method,
    request.path.split('/').map(encode).join('/'),
    canonicalQuery(request),
    ...signedHeaders.map((name) => `${name}:${(request.headers[name] ?? '').trim().replace(/\s+/g, ' ')}`),
    '',
    signedHeaders.join(';'),
    payload,
  ].join('\n');
}

function canonicalQuery(request: S3Request): string {
  return request.query.pairs
    .filter(([name]) => name !== 'X-Amz-Signature')
    .map(([name, value]) => [encode(name), encode(value)] as const)
    .sort(([nameA, valueA], [nameB, valueB]) => compare(nameA, nameB) || compare(valueA, valueB))
    .map(([name, value]) => `${name}=${value}`)
    .join('&');
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** AWS encodes everything except letters, digits and `-._~`. */
function encode(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
