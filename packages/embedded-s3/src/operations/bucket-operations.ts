import { corsRuleToXml, parseCorsRules } from '../protocol/cors-rules.js';
import { type Operation, documentOf, xmlReply } from '../protocol/reply.js';
import { S3Error } from '../protocol/s3-error.js';
import { element } from '../protocol/xml.js';

export const listBuckets: Operation = ({ disk }) => {
  const buckets = disk.allBuckets().map(({ name, created }) => {
    return element('Bucket', element('Name', name), element('CreationDate', created));
  });
  return xmlReply('ListAllMyBucketsResult', [element('Buckets', ...buckets)]);
};

export const createBucket: Operation = async ({ disk, request }) => {
  await disk.createBucket(request.bucket);
  return { status: 200, headers: { location: `/${request.bucket}` } };
};

export const headBucket: Operation = ({ disk, request }) => {
  disk.bucket(request.bucket);
  return { status: 200 };
};

export const deleteBucket: Operation = async ({ disk, request }) => {
  await disk.deleteBucket(request.bucket);
  return { status: 204 };
};

/** Any region is accepted, so none is returned. */
export const getBucketLocation: Operation = ({ disk, request }) => {
  disk.bucket(request.bucket);
  return xmlReply('LocationConstraint', []);
};

export const putBucketCors: Operation = async (call) => {
  const bucket = call.disk.bucket(call.request.bucket);
  await bucket.setCorsRules(parseCorsRules(documentOf(call, 'CORSConfiguration')));
  return { status: 200 };
};

export const getBucketCors: Operation = ({ disk, request }) => {
  const rules = disk.bucket(request.bucket).corsRules;
  if (rules.length === 0) throw new S3Error('NoSuchCORSConfiguration');
  return xmlReply('CORSConfiguration', rules.map(corsRuleToXml));
};

export const deleteBucketCors: Operation = async ({ disk, request }) => {
  await disk.bucket(request.bucket).setCorsRules([]);
  return { status: 204 };
};
