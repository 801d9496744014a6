import type { NextFunction, Request, Response } from 'express';
import { httpDuration } from '../metrics/metrics.js';
import { logger } from './logger.js';
import { currentRequestId } from '../http/request-context.js';

/** Logs one line per request, when its response is sent or its connection is lost. */
export function accessLog(request: Request, response: Response, next: NextFunction): void {
  const startedAt = performance.now();
  const requestId = currentRequestId();
  response.once('close', () => {
    const seconds = (performance.now() - startedAt) / 1000;
    // The route template instead of the path: one series per route, whatever the number of ids.
    const route = (request.route as { path?: string } | undefined)?.path ?? 'none';
    httpDuration.observe({ method: request.method, route, status: response.statusCode }, seconds);
    logger.info(
      {
        requestId,
        method: request.method,
        path: request.path,
        status: response.statusCode,
        ms: Math.round(seconds * 10_000) / 10,
        ...(response.writableFinished ? {} : { aborted: true }),
      },
      'request',
    );
  });
  next();
}
