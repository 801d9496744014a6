import * as buckets from './operations/bucket-operations.js';
import { copyObject } from './operations/copy-operations.js';
import * as lists from './operations/list-operations.js';
import * as multipart from './operations/multipart-operations.js';
import * as objects from './operations/object-operations.js';
import type { Operation } from './protocol/reply.js';
import { S3Error } from './protocol/s3-error.js';
import type { S3Request } from './protocol/s3-request.js';

export interface Route {
  method: string;
  level: 'service' | 'bucket' | 'object';
  /** Query parameters and the header that distinguish this operation from others with the same method. */
  query?: string[];
  header?: string;
  /** The operation reads the body itself, as a stream. */
  streams?: true;
  run: Operation;
}

/** All operations of the store. The first matching route is used, so more specific ones come first. */
const routes: Route[] = [
  { method: 'GET', level: 'service', run: buckets.listBuckets },

  { method: 'GET', level: 'bucket', query: ['cors'], run: buckets.getBucketCors },
  { method: 'PUT', level: 'bucket', query: ['cors'], run: buckets.putBucketCors },
  { method: 'DELETE', level: 'bucket', query: ['cors'], run: buckets.deleteBucketCors },
  { method: 'GET', level: 'bucket', query: ['location'], run: buckets.getBucketLocation },
  { method: 'GET', level: 'bucket', query: ['uploads'], run: lists.listMultipartUploads },
  { method: 'GET', level: 'bucket', query: ['list-type'], run: lists.listObjectsV2 },
  { method: 'POST', level: 'bucket', query: ['delete'], run: objects.deleteObjects },
  { method: 'PUT', level: 'bucket', run: buckets.createBucket },
  { method: 'HEAD', level: 'bucket', run: buckets.headBucket },
  { method: 'DELETE', level: 'bucket', run: buckets.deleteBucket },

  { method: 'POST', level: 'object', query: ['uploads'], run: multipart.createMultipartUpload },
  { method: 'POST', level: 'object', query: ['uploadId'], run: multipart.completeMultipartUpload },
  { method: 'DELETE', level: 'object', query: ['uploadId'], run: multipart.abortMultipartUpload },
  { method: 'GET', level: 'object', query: ['uploadId'], run: multipart.listParts },
  {
    method: 'PUT',
    level: 'object',
    query: ['partNumber', 'uploadId'],
    header: 'x-amz-copy-source',
    run: multipart.uploadPartCopy,
  },
  {
    method: 'PUT',
    level: 'object',
    query: ['partNumber', 'uploadId'],
    streams: true,
    run: multipart.uploadPart,
  },
  { method: 'PUT', level: 'object', header: 'x-amz-copy-source', run: copyObject },
  { method: 'PUT', level: 'object', streams: true, run: objects.putObject },
  { method: 'GET', level: 'object', run: objects.getObject },
  { method: 'HEAD', level: 'object', run: objects.getObject },
  { method: 'DELETE', level: 'object', run: objects.deleteObject },
];

// Each of these changes the meaning of a request: `PUT key?acl` must never be treated as a PutObject.
const SUBRESOURCES = new Set(
  (
    'accelerate acl analytics append attributes cors delete encryption intelligent-tiering inventory legal-hold ' +
    'lifecycle list-type location logging metadataTable metrics notification object-lock ownershipControls ' +
    'partNumber policy policyStatus publicAccessBlock renameObject replication requestPayment restore retention ' +
    'select select-type session tagging torrent uploadId uploads versionId versioning versions website'
  ).split(' '),
);

export function routeFor(request: S3Request): Route {
  const level = request.key ? 'object' : request.bucket ? 'bucket' : 'service';
  const route = routes.find(
    (candidate) =>
      candidate.method === request.method &&
      candidate.level === level &&
      (candidate.query ?? []).every((name) => request.query.has(name)) &&
      (!candidate.header || request.headers[candidate.header] !== undefined),
  );
  const leftOver = request.query.pairs.some(
    ([name]) => SUBRESOURCES.has(name) && !route?.query?.includes(name),
  );
  if (!route || leftOver) throw new S3Error('NotImplemented', 'This operation is not implemented.');
  return route;
}
