import { listObjects } from '../disk/listing.js';
import { byteString } from '../disk/object-index.js';
import { type Operation, quoted, xmlReply } from '../protocol/reply.js';
import { S3Error } from '../protocol/s3-error.js';
import type { Query } from '../protocol/s3-request.js';
import { type Xml, element } from '../protocol/xml.js';

const PAGE = 1000;

export const listObjectsV2: Operation = ({ disk, request: { bucket: name, query } }) => {
  const bucket = disk.bucket(name);
  const encode = keyEncoding(query);
  const prefix = query.get('prefix') ?? '';
  const delimiter = query.get('delimiter') ?? '';
  const limit = query.integer('max-keys', PAGE, PAGE);
  const token = query.get('continuation-token');
  const startAfter = query.get('start-after');
  if (token === '') throw new S3Error('InvalidArgument', 'The continuation token provided is incorrect');
  const listing = listObjects(bucket.objects, { prefix, delimiter, limit, token, startAfter });
  return xmlReply('ListBucketResult', [
    element('Name', name),
    element('Prefix', encode(prefix)),
    ...optional('Delimiter', delimiter && encode(delimiter)),
    ...optional('StartAfter', startAfter && encode(startAfter)),
    ...optional('EncodingType', query.get('encoding-type')),
    ...optional('ContinuationToken', token),
    ...optional('NextContinuationToken', listing.nextToken),
    element('KeyCount', listing.objects.length + listing.commonPrefixes.length),
    element('MaxKeys', limit),
    element('IsTruncated', listing.nextToken !== undefined),
    ...listing.objects.map((object) =>
      element(
        'Contents',
        element('Key', encode(object.key)),
        element('LastModified', object.modified),
        element('ETag', quoted(object.etag)),
        element('Size', object.size),
        element('StorageClass', 'STANDARD'),
      ),
    ),
    ...listing.commonPrefixes.map((common) => element('CommonPrefixes', element('Prefix', encode(common)))),
  ]);
};

export const listMultipartUploads: Operation = ({ disk, request: { bucket: name, query } }) => {
  const bucket = disk.bucket(name);
  const encode = keyEncoding(query);
  const prefix = query.get('prefix') ?? '';
  const limit = query.integer('max-uploads', PAGE, PAGE);
  const keyMarker = query.get('key-marker') ?? '';
  const idMarker = query.get('upload-id-marker') ?? '';
  const later = bucket.uploads
    .all()
    .filter(({ key }) => key.startsWith(prefix))
    .map((upload) => ({ upload, key: byteString(upload.key) }))
    .filter(({ upload, key }) => isBehind(key, upload.id, byteString(keyMarker), idMarker))
    .sort((a, b) => (isBehind(a.key, a.upload.id, b.key, b.upload.id) ? 1 : -1));
  const page = later.slice(0, limit).map(({ upload }) => upload);
  const last = page.length < later.length ? page.at(-1) : undefined;
  return xmlReply('ListMultipartUploadsResult', [
    element('Bucket', name),
    element('KeyMarker', encode(keyMarker)),
    element('UploadIdMarker', idMarker),
    element('Prefix', encode(prefix)),
    ...optional('NextKeyMarker', last && encode(last.key)),
    ...optional('NextUploadIdMarker', last?.id),
    element('MaxUploads', limit),
    element('IsTruncated', last !== undefined),
    ...page.map(({ key, id, initiated }) =>
      element(
        'Upload',
        element('Key', encode(key)),
        element('UploadId', id),
        element('Initiated', initiated),
        element('StorageClass', 'STANDARD'),
      ),
    ),
  ]);
};

/** Uploads are ordered by key, then by id. Without an id, the marker skips all uploads of its key. */
function isBehind(key: string, id: string, otherKey: string, otherId: string): boolean {
  return key > otherKey || (key === otherKey && otherId !== '' && id > otherId);
}

function keyEncoding(query: Query): (key: string) => string {
  const type = query.get('encoding-type');
  if (type === undefined) return (key) => key;
  if (type !== 'url') throw new S3Error('InvalidArgument', 'Invalid Encoding Method specified in Request');
  return (key) => key.split('/').map(encodeURIComponent).join('/');
}

function optional(name: string, value: string | undefined): Xml[] {
  return value ? [element(name, value)] : [];
}
