import { parseRange } from '../protocol/byte-range.js';
import { requireWriteConditions, isNotModified, rangeStillApplies } from '../protocol/conditions.js';
import { objectHeaders, rejectUnsupported, storedHeaders, validators } from '../protocol/object-headers.js';
import { type Operation, documentOf, quoted, xmlReply } from '../protocol/reply.js';
import { S3Error } from '../protocol/s3-error.js';
import { childText, childrenNamed, element } from '../protocol/xml.js';

const MAX_DELETES = 1000;

export const putObject: Operation = async ({ disk, request, body }) => {
  const bucket = disk.bucket(request.bucket);
  body.requireLength();
  rejectUnsupported(request.headers);
  const headers = storedHeaders(request.headers);
  requireWriteConditions(request.headers, bucket.find(request.key)); // avoids a useless upload; `put` checks again, atomically
  const segment = await disk.blobs.write(body);
  const { md5, checksums } = body.digests;
  await bucket.put(
    {
      key: request.key,
      etag: md5,
      size: segment.size,
      modified: new Date().toISOString(),
      headers,
      checksums,
      segments: [segment],
    },
    (existing) => requireWriteConditions(request.headers, existing),
  );
  return { status: 200, headers: { ...checksums, etag: quoted(md5) } };
};

/** Also handles HEAD: the server omits the body. */
export const getObject: Operation = ({ disk, request }) => {
  const object = disk.bucket(request.bucket).get(request.key);
  if (isNotModified(request.headers, object)) return { status: 304, headers: validators(object) };
  const { size, segments } = object;
  const range = rangeStillApplies(request.headers, object)
    ? parseRange(request.headers['range'], size)
    : undefined;
  const { start, end } = range ?? { start: 0, end: size - 1 };
  const headers = { ...objectHeaders(object, request), 'content-length': String(end - start + 1) };
  if (range) {
    // Checksums apply to the whole object.
    for (const name of Object.keys(object.checksums)) delete (headers as Record<string, string>)[name];
    Object.assign(headers, { 'content-range': `bytes ${start}-${end}/${size}` });
  }
  disk.blobs.hold(segments);
  return {
    status: range ? 206 : 200,
    headers,
    body: disk.blobs.read(segments, start, end),
    release: () => disk.blobs.release(segments),
  };
};

export const deleteObject: Operation = async ({ disk, request }) => {
  const permit =
    request.headers['if-match'] === undefined
      ? undefined
      : requireWriteConditions.bind(null, request.headers);
  await disk.bucket(request.bucket).delete([request.key], permit);
  return { status: 204 };
};

export const deleteObjects: Operation = async (call) => {
  const bucket = call.disk.bucket(call.request.bucket);
  const document = documentOf(call, 'Delete');
  const keys = childrenNamed(document, 'Object').map((node) => childText(node, 'Key'));
  const isValid = keys.every((key) => key !== undefined && key !== '');
  if (!isValid || keys.length === 0 || keys.length > MAX_DELETES) throw new S3Error('MalformedXML');
  await bucket.delete(keys as string[]);
  const isQuiet = childText(document, 'Quiet')?.trim() === 'true';
  const deleted = isQuiet ? [] : (keys as string[]).map((key) => element('Deleted', element('Key', key)));
  return xmlReply('DeleteResult', deleted);
};
