import { parseRange } from '../protocol/byte-range.js';
import { requireCopySourceConditions, requireWriteConditions } from '../protocol/conditions.js';
import type { Disk } from '../disk/disk.js';
import { rejectUnsupported, storedHeaders } from '../protocol/object-headers.js';
import type { StoredObject } from '../disk/object-index.js';
import { type Operation, quoted, xmlReply } from '../protocol/reply.js';
import { S3Error } from '../protocol/s3-error.js';
import type { S3Request } from '../protocol/s3-request.js';
import { element } from '../protocol/xml.js';

const MAX_COPY = 5 * 1024 ** 3;

/** The source object of a copy request, after its conditions are checked. */
export function copySource(disk: Disk, { headers }: S3Request): StoredObject {
  const [, bucket, key] = /^\/?([^/]+)\/(.+)$/s.exec(decoded(headers['x-amz-copy-source'] ?? '')) ?? [];
  if (!bucket || !key)
    throw new S3Error('InvalidArgument', 'x-amz-copy-source must be of the form bucket/key.');
  const source = disk.bucket(bucket).get(key);
  requireCopySourceConditions(headers, source);
  return source;
}

/** The source range of an UploadPartCopy. Unlike that of a GET, it must fit. */
export function copyRange({ headers }: S3Request, source: StoredObject): { start: number; end: number } {
  const text = headers['x-amz-copy-source-range'];
  if (text === undefined) return { start: 0, end: source.size - 1 };
  const range = /^bytes=\d+-\d+$/.test(text) ? parseRange(text, source.size) : undefined;
  if (!range || range.end !== Number(text.split('-')[1])) {
    throw new S3Error('InvalidArgument', 'x-amz-copy-source-range must be within the source.');
  }
  return range;
}

/** Copies no bytes: the new record refers to the same immutable blobs. */
export const copyObject: Operation = async ({ disk, request }) => {
  const bucket = disk.bucket(request.bucket);
  rejectUnsupported(request.headers);
  const source = copySource(disk, request);
  const directive = request.headers['x-amz-metadata-directive'] ?? 'COPY';
  if (directive !== 'COPY' && directive !== 'REPLACE') {
    throw new S3Error('InvalidArgument', 'x-amz-metadata-directive must be COPY or REPLACE.');
  }
  if (directive === 'COPY' && source === bucket.find(request.key)) {
    throw new S3Error('InvalidRequest', 'A copy onto itself must change something.');
  }
  if (source.size > MAX_COPY) throw new S3Error('InvalidRequest', 'The copy source is larger than 5 GiB.');
  const headers = directive === 'REPLACE' ? storedHeaders(request.headers) : source.headers;
  const copy: StoredObject = { ...source, key: request.key, headers, modified: new Date().toISOString() };
  disk.blobs.hold(copy.segments);
  await bucket.put(copy, (existing) => requireWriteConditions(request.headers, existing));
  return xmlReply('CopyObjectResult', [
    element('LastModified', copy.modified),
    element('ETag', quoted(copy.etag)),
  ]);
};

function decoded(source: string): string {
  if (/\?versionId=/.test(source)) throw new S3Error('NotImplemented', 'There are no versions to copy.');
  try {
    return decodeURIComponent(source);
  } catch {
    throw new S3Error('InvalidArgument', 'x-amz-copy-source is not properly encoded.');
  }
}
