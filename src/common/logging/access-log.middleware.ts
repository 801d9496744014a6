import type { NextFunction, Request, Response } from 'express';
import { logger } from './logger.js';
import { currentRequestId } from '../http/request-context.js';

/** One line per request, when its answer is sent or its connection lost. */
export function accessLog(request: Request, response: Response, next: NextFunction): void {
  const startedAt = performance.now();
  const requestId = currentRequestId();
  response.once('close', () => {
    logger.info(
      {
        requestId,
        method: request.method,
        path: request.path,
        status: response.statusCode,
        ms: Math.round((performance.now() - startedAt) * 10) / 10,
        ...(response.writableFinished ? {} : { aborted: true }),
      },
      'request',
    );
  });
  next();
}
