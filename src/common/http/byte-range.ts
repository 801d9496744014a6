import type { Request } from 'express';
import parseRange from 'range-parser';
import { Problem } from '../errors/problem.js';

/** The single range that is asked for and applies, or null for the whole. Several ranges at once are answered with the whole. */
export function requestedRange(
  request: Request,
  sizeBytes: number,
  etag: string,
): { start: number; end: number } | null {
  const { range } = request.headers;
  if (range === undefined) return null;
  const condition = request.headers['if-range'];
  if (condition !== undefined && condition !== etag) return null;
  const ranges = parseRange(sizeBytes, range);
  if (ranges === -1) {
    throw new Problem('range_not_satisfiable', undefined, {
      headers: { 'Content-Range': `bytes */${sizeBytes}` },
    });
  }
  if (ranges === -2 || ranges.type !== 'bytes' || ranges.length !== 1) return null;
  return { start: ranges[0]!.start, end: ranges[0]!.end };
}
