import type { NextFunction, Request, Response } from 'express';
import { Problem } from '../errors/problem.js';
import { refuseHostileValue } from './json-body.js';

/** Refuses addresses that cannot be decoded or hold text the database cannot, before any route sees them. */
export function urlHygiene(request: Request, _response: Response, next: NextFunction): void {
  let path: string;
  try {
    path = decodeURIComponent(request.path);
  } catch {
    throw new Problem('malformed_request', 'The path is not valid percent-encoded UTF-8.');
  }
  refuseHostileValue({ path, query: request.query });
  next();
}
