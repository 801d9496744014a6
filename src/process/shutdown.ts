import type { INestApplicationContext } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { setTimeout as delay } from 'node:timers/promises';
import { DeliveryWorker } from '../deliveries/delivery-worker.js';
import { Draining } from '../common/http/draining.js';
import { withTimeout } from '../common/with-timeout.js';
import { logger } from '../common/logging/logger.js';
import { EventStreams } from '../events/event-streams.js';
import { JobRunner } from '../jobs/job-runner.js';

/** How long running requests may take after the stop signal: longer than a finalize takes to respond. */
const FINISH_MS = 24_000;
/** For closing the connections to the database and the store. */
const CLOSE_MS = 4_000;

/**
 * First reports not ready, so that load balancers stop sending requests; then accepts no new connections; then waits for running requests,
 * up to a limit; then closes everything else.
 */
export async function closeGracefully(app: NestExpressApplication, drainSeconds: number): Promise<void> {
  app.get(Draining).start();
  const workEnded = stopWork(app);
  await delay(drainSeconds * 1000);
  // They would never end.
  app.get(EventStreams).close();
  const server = app.getHttpServer();
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  const closeIdle = setInterval(() => server.closeIdleConnections(), 200);
  const finishBy = Date.now() + FINISH_MS;
  if (!(await endsWithin(FINISH_MS, closed))) {
    logger.warn('requests are still running and will be aborted');
    server.closeAllConnections();
  }
  clearInterval(closeIdle);
  // A finalize may still be running in the background. It gets the time that the requests did not need.
  await closeWithin(
    Math.max(0, finishBy - Date.now()) + CLOSE_MS,
    workEnded.then(() => app.close()),
  );
}

/** For a process that serves no requests: its background work ends within the same limit. */
export async function closeWorker(app: INestApplicationContext): Promise<void> {
  await closeWithin(
    FINISH_MS + CLOSE_MS,
    stopWork(app).then(() => app.close()),
  );
}

/** Jobs and deliveries finish, or are left to other processes. */
async function stopWork(app: INestApplicationContext): Promise<void> {
  await Promise.all([app.get(JobRunner).stop(), app.get(DeliveryWorker).stop()]);
}

async function closeWithin(milliseconds: number, closed: Promise<void>): Promise<void> {
  if (!(await endsWithin(milliseconds, closed))) logger.warn('connections are still open and will be closed');
}

function endsWithin(milliseconds: number, work: Promise<void>): Promise<boolean> {
  return withTimeout(
    work.then(() => true),
    milliseconds,
    () => false,
  );
}
