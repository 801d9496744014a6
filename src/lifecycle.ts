import type { NestExpressApplication } from '@nestjs/platform-express';
import type { NextFunction, Request, Response } from 'express';
import type { Server } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { logger } from './common/logging/logger.js';

/** Requests that run when the process is told to stop may take this long. */
const FINISH_MS = 30_000;

/** Against clients that are slow or gone: JSON bodies are small, and a connection on which nothing moves is of no use. */
const HEADERS_TIMEOUT_MS = 20_000;
const REQUEST_TIMEOUT_MS = 60_000;
const IDLE_TIMEOUT_MS = 120_000;
/** Longer than proxies keep a connection, so that they never send a request into one that is just being closed. */
const KEEP_ALIVE_MS = 75_000;

let draining = false;

/** Whether the process has been told to stop: it is then no longer ready for new work. */
export function isDraining(): boolean {
  return draining;
}

/** While draining, tells clients to open their next connection elsewhere. */
export function closeWhenDraining(_request: Request, response: Response, next: NextFunction): void {
  if (draining) response.setHeader('Connection', 'close');
  next();
}

export function boundSlowClients(app: NestExpressApplication): void {
  const server = app.getHttpServer();
  server.headersTimeout = HEADERS_TIMEOUT_MS;
  server.requestTimeout = REQUEST_TIMEOUT_MS;
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  server.timeout = IDLE_TIMEOUT_MS;
}

/**
 * Not ready first, so that whoever sends requests here stops; then no new connections; then what runs comes to its end, within
 * a bound; then everything else is closed.
 */
export async function closeGracefully(app: NestExpressApplication, drainSeconds: number): Promise<void> {
  draining = true;
  await delay(drainSeconds * 1000);
  const server = app.getHttpServer();
  const finished = new Promise<void>((resolve) => server.close(() => resolve()));
  const closeIdle = setInterval(() => server.closeIdleConnections(), 200);
  const late = new AbortController();
  await Promise.race([
    finished,
    delay(FINISH_MS, undefined, { signal: late.signal })
      .then(() => {
        logger.warn('requests are still running and will be cut off');
        server.closeAllConnections();
      })
      .catch(() => undefined),
  ]);
  late.abort();
  clearInterval(closeIdle);
  await app.close();
}
