import type { NextFunction, Request, Response } from 'express';
import { Problem } from '../errors/problem.js';
import { rejectHostileValue } from './hostile-value.js';

/** Including repeated ones. Far below 1,000, after which Node's parser silently drops the rest. */
const MAX_QUERY_FIELDS = 100;

/**
 * A path, and at most one field, without encoded characters. All rejected names are longer or contain other characters than lower-case
 * letters.
 */
const PLAIN = /^[^%?&]*(\?[a-z]{1,8}=[^%&]*)?$/;

/** Rejects URLs that cannot be decoded or that contain text the database cannot store, before any route sees them. */
export function urlHygiene(request: Request, _response: Response, next: NextFunction): void {
  if (PLAIN.test(request.url)) return next();
  let path: string;
  try {
    path = decodeURIComponent(request.path);
  } catch {
    throw new Problem('malformed_request', 'The path is not valid percent-encoded UTF-8.');
  }
  if (request.url.split('&').length > MAX_QUERY_FIELDS)
    throw Problem.validation('query', `must have no more than ${MAX_QUERY_FIELDS} fields`);
  rejectHostileValue({ path, query: request.query });
  next();
}
