import type { NextFunction, Request, Response } from 'express';
import { randomUUID } from 'node:crypto';
import { requestContext } from './request-context.js';

/** The value ends up in logs and headers, so only harmless characters are accepted. */
const ACCEPTABLE = /^[A-Za-z0-9._:-]{1,128}$/;

export function requestId(request: Request, response: Response, next: NextFunction): void {
  const given = request.headers['x-request-id'];
  const id = typeof given === 'string' && ACCEPTABLE.test(given) ? given : randomUUID();
  response.setHeader('X-Request-Id', id);
  requestContext.run({ requestId: id }, next);
}
