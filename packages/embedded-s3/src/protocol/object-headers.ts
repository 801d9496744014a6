import { validateHeaderValue } from 'node:http';
import type { StoredObject } from '../disk/object-index.js';
import { quoted } from './reply.js';
import { S3Error } from './s3-error.js';
import type { Query } from './s3-request.js';

const STORED = [
  'cache-control',
  'content-disposition',
  'content-encoding',
  'content-language',
  'content-type',
  'expires',
];
const METADATA = 'x-amz-meta-';
const MAX_METADATA = 2 * 1024;

// S3 features that change the meaning of a write and must not be ignored silently.
const UNSUPPORTED =
  /^x-amz-(acl|grant-|tagging$|object-lock-|server-side-encryption|website-redirect|write-offset)/;

/** The headers of a write that are stored with the object. */
export function storedHeaders(headers: Record<string, string>): Record<string, string> {
  const kept: Record<string, string> = { 'content-type': 'binary/octet-stream' };
  let metadataSize = 0;
  for (const [name, value] of Object.entries(headers)) {
    if (name.startsWith(METADATA)) metadataSize += name.length - METADATA.length + value.length;
    else if (!STORED.includes(name)) continue;
    kept[name] = name === 'content-encoding' ? withoutAwsChunked(value) : value;
    requireHeaderValue(name, kept[name]);
    if (kept[name] === '' && !name.startsWith(METADATA)) delete kept[name];
  }
  if (metadataSize > MAX_METADATA) throw new S3Error('MetadataTooLarge');
  return kept;
}

export function rejectUnsupported(headers: Record<string, string>): void {
  for (const [name, value] of Object.entries(headers)) {
    const isDefault = name === 'x-amz-acl' && value === 'private';
    if (UNSUPPORTED.test(name) && !isDefault)
      throw new S3Error('NotImplemented', `${name} is not implemented.`);
  }
}

/** The headers with which an object is returned. */
export function objectHeaders(
  object: StoredObject,
  request: { headers: Record<string, string>; query: Query },
) {
  const headers: Record<string, string> = {
    ...object.headers,
    ...validators(object),
    'accept-ranges': 'bytes',
  };
  if (request.headers['x-amz-checksum-mode']?.toUpperCase() === 'ENABLED')
    Object.assign(headers, object.checksums);
  for (const name of STORED) {
    const override = request.query.get(`response-${name}`);
    if (override === undefined) continue;
    requireHeaderValue(`response-${name}`, override);
    headers[name] = override;
  }
  return headers;
}

export function validators(object: StoredObject): Record<string, string> {
  return { etag: quoted(object.etag), 'last-modified': new Date(object.modified).toUTCString() };
}

/** Values from a query can contain what no header may. They must fail here, not when the header is sent. */
function requireHeaderValue(name: string, value: string): void {
  try {
    validateHeaderValue(name, value);
  } catch {
    throw new S3Error('InvalidArgument', `${name} contains characters that no header may contain.`);
  }
}

function withoutAwsChunked(encoding: string): string {
  const encodings = encoding.split(',').map((part) => part.trim());
  return encodings.filter((part) => part !== 'aws-chunked').join(',');
}
