import { type ObjectIndex, type StoredObject, byteString, fromByteString } from './object-index.js';

export interface ListingQuery {
  prefix: string;
  delimiter: string;
  limit: number;
  /** Where to continue: a token of the previous page, or a key to start after. */
  token?: string;
  startAfter?: string;
}

export interface Listing {
  objects: StoredObject[];
  commonPrefixes: string[];
  nextToken?: string;
}

// No UTF-8 text contains the byte 0xff, so this sorts after every key with the same prefix.
const BEHIND_ALL = '\xff';
const JUST_BEHIND = '\0';

/**
 * One page of a bucket. Each step is a jump in the sorted index, so the cost of a page depends on what it returns, not on what it skips.
 */
export function listObjects(index: ObjectIndex, query: ListingQuery): Listing {
  const prefix = byteString(query.prefix);
  const delimiter = byteString(query.delimiter);
  const listing: Listing = { objects: [], commonPrefixes: [] };
  let resumeAt = startOf(query, prefix);
  let position = index.positionOf(resumeAt);

  for (;;) {
    const bytes = index.bytesAt(position);
    if (bytes === undefined || !bytes.startsWith(prefix)) return listing;
    if (listing.objects.length + listing.commonPrefixes.length >= query.limit) {
      // With a limit of zero, S3 reports the listing as complete.
      return query.limit > 0 ? { ...listing, nextToken: encodeToken(resumeAt) } : listing;
    }
    const cut = delimiter ? bytes.indexOf(delimiter, prefix.length) : -1;
    if (cut >= 0) {
      const common = bytes.slice(0, cut + delimiter.length);
      listing.commonPrefixes.push(fromByteString(common));
      resumeAt = common + BEHIND_ALL;
      position = index.positionOf(resumeAt);
    } else {
      listing.objects.push(index.get(fromByteString(bytes))!);
      resumeAt = bytes + JUST_BEHIND;
      position += 1;
    }
  }
}

function startOf({ token, startAfter }: ListingQuery, prefix: string): string {
  const start =
    token !== undefined ? decodeToken(token) : startAfter ? byteString(startAfter) + JUST_BEHIND : '';
  return start > prefix ? start : prefix;
}

function encodeToken(bytes: string): string {
  return Buffer.from(bytes, 'latin1').toString('base64url');
}

function decodeToken(token: string): string {
  return Buffer.from(token, 'base64url').toString('latin1');
}
