import type { IncomingMessage } from 'node:http';
import { S3Error } from './s3-error.js';

const MAX_KEY_BYTES = 1024;

/** A request in S3's terms, decoded but not yet trusted. */
export interface S3Request {
  method: string;
  /** The decoded path, and what it addresses; both names may be empty. */
  path: string;
  bucket: string;
  key: string;
  query: Query;
  /** By lower-case name. Repeated headers are joined with commas, as SigV4 requires. */
  headers: Record<string, string>;
}

export class Query {
  constructor(readonly pairs: [name: string, value: string][]) {}

  has(name: string): boolean {
    return this.pairs.some(([candidate]) => candidate === name);
  }

  get(name: string): string | undefined {
    return this.pairs.find(([candidate]) => candidate === name)?.[1];
  }

  integer(name: string, fallback: number, max: number): number {
    const text = this.get(name);
    if (text === undefined || text === '') return fallback;
    if (!/^\d{1,9}$/.test(text)) throw new S3Error('InvalidArgument', `${name} must be a whole number.`);
    return Math.min(Number(text), max);
  }
}

export function parseRequest(message: IncomingMessage): S3Request {
  const target = message.url ?? '/';
  const mark = target.indexOf('?');
  // Not `new URL`: it would resolve `..` and so change the key.
  const path = decode(mark < 0 ? target : target.slice(0, mark));
  if (!path.startsWith('/')) throw new S3Error('InvalidURI');
  const [, bucket = '', key = ''] = /^\/([^/]*)\/?(.*)$/s.exec(path) ?? [];
  if (Buffer.byteLength(key) > MAX_KEY_BYTES) throw new S3Error('KeyTooLongError');
  return {
    method: message.method ?? 'GET',
    path,
    bucket,
    key,
    query: parseQuery(mark < 0 ? '' : target.slice(mark + 1)),
    headers: joinedHeaders(message),
  };
}

function parseQuery(raw: string): Query {
  const pairs = raw
    .split('&')
    .filter((part) => part !== '')
    .map((part): [string, string] => {
      const equals = part.indexOf('=');
      return equals < 0
        ? [decodeParameter(part), '']
        : [decodeParameter(part.slice(0, equals)), decodeParameter(part.slice(equals + 1))];
    });
  return new Query(pairs);
}

function joinedHeaders(message: IncomingMessage): Record<string, string> {
  // Without a prototype, because a client chooses the names that are looked up (SignedHeaders=constructor).
  const headers = Object.create(null) as Record<string, string>;
  for (const [name, values] of Object.entries(message.headersDistinct))
    headers[name] = (values ?? []).join(',');
  return headers;
}

function decodeParameter(text: string): string {
  return decode(text.replaceAll('+', ' '));
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new S3Error('InvalidURI');
  }
}
