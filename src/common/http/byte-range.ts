import type { Request } from 'express';
import parseRange from 'range-parser';
import { Problem } from '../errors/problem.js';

/**
 * The requested range if it is satisfiable, or null for the whole file. A request for several ranges gets the whole
 * file; HEAD ignores ranges (RFC 9110, section 14.2).
 */
export function requestedRange(
  request: Request,
  sizeBytes: number,
  etag: string,
): { start: number; end: number } | null {
  const { range } = request.headers;
  if (range === undefined || request.method !== 'GET') return null;
  const condition = request.headers['if-range'];
  if (condition !== undefined && condition !== etag) return null;
  // The parser treats a suffix longer than the file as unsatisfiable, but it means the whole file (RFC 9110, 14.1.2).
  const suffix = Number(/^bytes=-(\d+)$/i.exec(range)?.[1] ?? 0);
  if (suffix > sizeBytes && sizeBytes > 0) return { start: 0, end: sizeBytes - 1 };
  const ranges = parseRange(sizeBytes, range);
  if (ranges === -1) {
    throw new Problem('range_not_satisfiable', undefined, {
      headers: { 'Content-Range': `bytes */${sizeBytes}` },
    });
  }
  if (ranges === -2 || ranges.type !== 'bytes' || ranges.length !== 1) return null;
  return { start: ranges[0]!.start, end: ranges[0]!.end };
}
