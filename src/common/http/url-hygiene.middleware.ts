import type { NextFunction, Request, Response } from 'express';
import { Problem } from '../errors/problem.js';
import { refuseHostileValue } from './hostile-value.js';

/** Repeated ones included. Far below 1,000, after which Node's parser silently drops the rest. */
const MAX_QUERY_FIELDS = 100;

/** A path, and perhaps one field, without encoded characters. Every name that is refused is longer, or not in small letters only. */
const PLAIN = /^[^%?&]*(\?[a-z]{1,8}=[^%&]*)?$/;

/** Refuses addresses that cannot be decoded or hold text the database cannot, before any route sees them. */
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
  refuseHostileValue({ path, query: request.query });
  next();
}
