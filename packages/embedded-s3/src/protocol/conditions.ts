import type { StoredObject } from '../disk/object-index.js';
import { S3Error } from './s3-error.js';

type Headers = Record<string, string>;

/** Whether a GET or HEAD gets "not modified". Throws 412 if a precondition fails. */
export function isNotModified(headers: Headers, object: StoredObject): boolean {
  return evaluate(headers, '', object) === 'unchanged';
}

/** For a copy there is no "not modified": if a condition fails, the copy fails. */
export function requireCopySourceConditions(headers: Headers, source: StoredObject): void {
  if (evaluate(headers, 'x-amz-copy-source-', source) === 'unchanged') throw failed('If-None-Match');
}

/** The conditions of a write, checked against the object it would replace. */
export function requireWriteConditions(headers: Headers, existing: StoredObject | undefined): void {
  const ifMatch = headers['if-match'];
  const ifNoneMatch = headers['if-none-match'];
  if (ifNoneMatch !== undefined && ifNoneMatch.trim() !== '*') {
    throw new S3Error('NotImplemented', 'If-None-Match on a write only accepts *.');
  }
  if (ifNoneMatch !== undefined && existing) throw failed('If-None-Match');
  if (ifMatch === undefined) return;
  if (!existing) throw new S3Error('NoSuchKey');
  if (!etagListed(ifMatch, existing.etag)) throw failed('If-Match');
}

/** Whether a Range applies: only if the object still matches If-Range. */
export function rangeStillApplies(headers: Headers, object: StoredObject): boolean {
  const ifRange = headers['if-range'];
  if (ifRange === undefined) return true;
  return ifRange.includes('"') ? etagListed(ifRange, object.etag) : !modifiedSince(object, ifRange);
}

function evaluate(headers: Headers, prefix: string, object: StoredObject): 'changed' | 'unchanged' {
  const ifMatch = headers[`${prefix}if-match`];
  const ifNoneMatch = headers[`${prefix}if-none-match`];
  const ifModifiedSince = headers[`${prefix}if-modified-since`];
  const ifUnmodifiedSince = headers[`${prefix}if-unmodified-since`];
  // RFC 9110, 13.2.2: a date is only evaluated if the corresponding entity tag condition is absent.
  if (ifMatch !== undefined) {
    if (!etagListed(ifMatch, object.etag)) throw failed('If-Match');
  } else if (ifUnmodifiedSince !== undefined && modifiedSince(object, ifUnmodifiedSince)) {
    throw failed('If-Unmodified-Since');
  }
  if (ifNoneMatch !== undefined) return etagListed(ifNoneMatch, object.etag) ? 'unchanged' : 'changed';
  if (ifModifiedSince !== undefined && isDate(ifModifiedSince)) {
    return modifiedSince(object, ifModifiedSince) ? 'changed' : 'unchanged';
  }
  return 'changed';
}

function etagListed(list: string, etag: string): boolean {
  const listed = list.split(',').map((entry) => entry.trim().replace(/^W\//, '').replace(/^"|"$/g, ''));
  return listed.includes('*') || listed.includes(etag);
}

function isDate(text: string): boolean {
  return !Number.isNaN(Date.parse(text));
}

function modifiedSince(object: StoredObject, date: string): boolean {
  // HTTP dates have no fractions of a second.
  return Math.floor(Date.parse(object.modified) / 1000) * 1000 > Date.parse(date);
}

function failed(condition: string): S3Error {
  return new S3Error('PreconditionFailed', undefined, { details: { Condition: condition } });
}
