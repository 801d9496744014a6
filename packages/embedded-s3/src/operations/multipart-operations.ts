import { createHash } from 'node:crypto';
import { requireWriteConditions } from '../protocol/conditions.js';
import { copyRange, copySource } from './copy-operations.js';
import { rejectUnsupported, storedHeaders } from '../protocol/object-headers.js';
import { type Operation, documentOf, quoted, xmlReply } from '../protocol/reply.js';
import { S3Error } from '../protocol/s3-error.js';
import type { S3Request } from '../protocol/s3-request.js';
import type { UploadedPart } from '../disk/uploads.js';
import { type XmlNode, childText, childrenNamed, element } from '../protocol/xml.js';

const MAX_PARTS = 10_000;
const MIN_PART_SIZE = 5 * 1024 * 1024;
const PAGE = 1000;

export const createMultipartUpload: Operation = async ({ disk, request }) => {
  const bucket = disk.bucket(request.bucket);
  rejectUnsupported(request.headers);
  const upload = await bucket.uploads.begin(request.key, storedHeaders(request.headers));
  return xmlReply('InitiateMultipartUploadResult', [
    element('Bucket', bucket.name),
    element('Key', upload.key),
    element('UploadId', upload.id),
  ]);
};

export const uploadPart: Operation = async ({ disk, request, body }) => {
  const { uploads } = disk.bucket(request.bucket);
  const upload = uploads.get(uploadId(request), request.key);
  const number = partNumber(request);
  body.requireLength();
  const segment = await disk.blobs.write(body);
  const { md5, checksums } = body.digests;
  const modified = new Date().toISOString();
  await uploads.putPart(upload, {
    number,
    etag: md5,
    size: segment.size,
    modified,
    checksums,
    segments: [segment],
  });
  return { status: 200, headers: { ...checksums, etag: quoted(md5) } };
};

export const uploadPartCopy: Operation = async ({ disk, request }) => {
  const { uploads } = disk.bucket(request.bucket);
  const upload = uploads.get(uploadId(request), request.key);
  const number = partNumber(request);
  const source = copySource(disk, request);
  const { start, end } = copyRange(request, source);
  const md5 = createHash('md5');
  async function* bytes() {
    for await (const chunk of disk.blobs.read(source.segments, start, end)) {
      md5.update(chunk);
      yield chunk;
    }
  }
  disk.blobs.hold(source.segments);
  const segment = await disk.blobs.write(bytes()).finally(() => disk.blobs.release(source.segments));
  const part = { number, etag: md5.digest('hex'), size: segment.size, modified: new Date().toISOString() };
  await uploads.putPart(upload, { ...part, checksums: {}, segments: [segment] });
  return xmlReply('CopyPartResult', [
    element('LastModified', part.modified),
    element('ETag', quoted(part.etag)),
  ]);
};

/** Copies no bytes either: the object's record refers to the blobs of the parts, in order. */
export const completeMultipartUpload: Operation = async (call) => {
  const { disk, request } = call;
  const bucket = disk.bucket(request.bucket);
  const wanted = childrenNamed(documentOf(call, 'CompleteMultipartUpload'), 'Part');
  const etag = await bucket.uploads.exclusively(uploadId(request), request.key, async (upload) => {
    const parts = chosenParts(upload.parts, wanted);
    const segments = parts.flatMap((part) => part.segments);
    const md5 = createHash('md5');
    for (const part of parts) md5.update(part.etag, 'hex');
    const object = {
      key: upload.key,
      etag: `${md5.digest('hex')}-${parts.length}`,
      size: parts.reduce((sum, part) => sum + part.size, 0),
      modified: new Date().toISOString(),
      headers: upload.headers,
      checksums: {},
      segments,
    };
    disk.blobs.hold(segments);
    await bucket.put(object, (existing) => requireWriteConditions(request.headers, existing));
    await bucket.uploads.end(upload);
    return object.etag;
  });
  const location = `http://${request.headers['host']}/${bucket.name}/${encodeURIComponent(request.key)}`;
  return xmlReply('CompleteMultipartUploadResult', [
    element('Location', location),
    element('Bucket', bucket.name),
    element('Key', request.key),
    element('ETag', quoted(etag)),
  ]);
};

export const abortMultipartUpload: Operation = async ({ disk, request }) => {
  const { uploads } = disk.bucket(request.bucket);
  await uploads.exclusively(uploadId(request), request.key, (upload) => uploads.end(upload));
  return { status: 204 };
};

export const listParts: Operation = ({ disk, request }) => {
  const upload = disk.bucket(request.bucket).uploads.get(uploadId(request), request.key);
  const after = request.query.integer('part-number-marker', 0, MAX_PARTS);
  const limit = request.query.integer('max-parts', PAGE, PAGE);
  const later = [...upload.parts.values()].filter((part) => part.number > after);
  const page = later.sort((a, b) => a.number - b.number).slice(0, limit);
  const isTruncated = page.length > 0 && page.length < later.length;
  return xmlReply('ListPartsResult', [
    element('Bucket', request.bucket),
    element('Key', upload.key),
    element('UploadId', upload.id),
    element('PartNumberMarker', after),
    ...(isTruncated ? [element('NextPartNumberMarker', page.at(-1)!.number)] : []),
    element('MaxParts', limit),
    element('IsTruncated', isTruncated),
    ...page.map((part) =>
      element(
        'Part',
        element('PartNumber', part.number),
        element('LastModified', part.modified),
        element('ETag', quoted(part.etag)),
        element('Size', part.size),
      ),
    ),
  ]);
};

/** The parts that the client lists. Each must exist and match. */
function chosenParts(parts: Map<number, UploadedPart>, wanted: XmlNode[]): UploadedPart[] {
  if (wanted.length === 0 || wanted.length > MAX_PARTS) throw new S3Error('MalformedXML');
  let previous = 0;
  const chosen = wanted.map((node) => {
    const number = Number(childText(node, 'PartNumber') ?? NaN);
    const etag = childText(node, 'ETag')?.trim().replace(/^"|"$/g, '');
    if (!Number.isInteger(number)) throw new S3Error('MalformedXML');
    if (number <= previous) throw new S3Error('InvalidPartOrder');
    previous = number;
    const part = parts.get(number);
    if (!part || part.etag !== etag) {
      throw new S3Error('InvalidPart', undefined, { details: { PartNumber: String(number) } });
    }
    return part;
  });
  for (const part of chosen.slice(0, -1)) {
    if (part.size < MIN_PART_SIZE) {
      throw new S3Error('EntityTooSmall', undefined, { details: { PartNumber: String(part.number) } });
    }
  }
  return chosen;
}

function uploadId({ query }: S3Request): string {
  return query.get('uploadId') ?? '';
}

function partNumber({ query }: S3Request): number {
  const text = query.get('partNumber') ?? '';
  const number = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (number < 1 || number > MAX_PARTS) {
    throw new S3Error(
      'InvalidArgument',
      `Part number must be an integer between 1 and ${MAX_PARTS}, inclusive`,
    );
  }
  return number;
}
