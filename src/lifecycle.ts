import type { INestApplicationContext } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { NextFunction, Request, Response } from 'express';
import { setTimeout as delay } from 'node:timers/promises';
import { inTime } from './common/in-time.js';
import { logger } from './common/logging/logger.js';
import { EventStreams } from './events/event-streams.js';
import { JobRunner } from './jobs/job-runner.js';

/** Requests that run when the process is told to stop may take this long: more than a finalize takes to answer. */
const FINISH_MS = 24_000;
/** Closing what is left: connections to database and store. */
const CLOSE_MS = 4_000;

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

/**
 * Not ready first, so that whoever sends requests here stops; then no new connections; then what runs comes to its end, within
 * a bound; then everything else is closed.
 */
export async function closeGracefully(app: NestExpressApplication, drainSeconds: number): Promise<void> {
  draining = true;
  const jobsEnded = app.get(JobRunner).stop();
  await delay(drainSeconds * 1000);
  // They would go on for ever.
  app.get(EventStreams).close();
  const server = app.getHttpServer();
  const answered = new Promise<void>((resolve) => server.close(() => resolve()));
  const closeIdle = setInterval(() => server.closeIdleConnections(), 200);
  const finishBy = Date.now() + FINISH_MS;
  if (!(await endsWithin(FINISH_MS, answered))) {
    logger.warn('requests are still running and will be cut off');
    server.closeAllConnections();
  }
  clearInterval(closeIdle);
  // A finalize may still run in the background. It has whatever time the requests did not need.
  await closeWithin(
    Math.max(0, finishBy - Date.now()) + CLOSE_MS,
    jobsEnded.then(() => app.close()),
  );
}

/** Of a process that serves no requests: its jobs come to their end, or go back to the queue, within the same bound. */
export async function closeWorker(app: INestApplicationContext): Promise<void> {
  await closeWithin(FINISH_MS + CLOSE_MS, app.close());
}

async function closeWithin(milliseconds: number, closed: Promise<void>): Promise<void> {
  if (!(await endsWithin(milliseconds, closed)))
    logger.warn('connections are still open and will be cut off');
}

function endsWithin(milliseconds: number, work: Promise<void>): Promise<boolean> {
  return inTime(
    work.then(() => true),
    milliseconds,
    () => false,
  );
}
