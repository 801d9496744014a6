import {
  Logger as WorkerLogger,
  type ParsedCronItem,
  run,
  type Runner,
  type TaskList,
  type WorkerEvents,
} from 'graphile-worker';
import { EventEmitter } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { Pool } from 'pg';
import { withTimeout } from '../common/with-timeout.js';
import { logger } from '../common/logging/logger.js';
import type { DatabaseConfig } from '../config/config.js';
import type { JobLocks } from './job-locks.js';
import { QueuePool } from './queue-pool.js';

/** On shutdown, jobs first get time to finish, then are asked to stop, then return to the queue. */
const ASKED_TO_END_AFTER_MS = 15_000;
const GIVEN_BACK_AFTER_MS = 22_000;
const CLOSE_MS = 3_000;
/** New jobs are announced. Only those that were postponed, for example after a failure, have to be looked for. */
const POLL_INTERVAL_MS = 2_000;
const SHORTEST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 30_000;

export interface JobWorkerOptions {
  /** Jobs that run at the same time in this process, each with its own connection for taking and completing it. */
  readonly concurrency: number;
  readonly taskList: TaskList;
  readonly parsedCronItems: ParsedCronItem[];
}

/** Takes jobs from the queue and runs them. */
export class JobWorker {
  private readonly stopping = new AbortController();
  private runner: Runner | null = null;
  private working: Promise<void> = Promise.resolve();
  /** Runners that have ended but may still hold jobs, which cannot be returned without the database. */
  private readonly ended = new Set<string>();

  constructor(
    private readonly options: JobWorkerOptions,
    private readonly locks: JobLocks,
    private readonly database: DatabaseConfig,
  ) {}

  start(): void {
    this.working = this.keepRunning();
  }

  /** Takes no more jobs. Resolves when running jobs have ended or returned to the queue. */
  async stop(): Promise<void> {
    if (this.stopping.signal.aborted) return this.working;
    this.stopping.abort();
    const returnTimer = setTimeout(() => {
      logger.warn('returning unfinished jobs to the queue');
      this.runner?.kill().catch(() => undefined);
    }, GIVEN_BACK_AFTER_MS);
    // It has already ended if the database is unavailable.
    await this.runner?.stop().catch(() => undefined);
    await this.working;
    clearTimeout(returnTimer);
  }

  /** Restarts the queue whenever it ends, in particular after a database outage. */
  private async keepRunning(): Promise<void> {
    const { signal } = this.stopping;
    for (let pause = SHORTEST_PAUSE_MS; !signal.aborted; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
      const startedAt = Date.now();
      await this.runUntilEnd().catch((error: unknown) => logger.error({ err: error }, 'job queue stopped'));
      if (signal.aborted) return;
      if (Date.now() - startedAt > LONGEST_PAUSE_MS) pause = SHORTEST_PAUSE_MS;
      logger.warn({ pauseMs: pause }, 'restarting job queue after a delay');
      await delay(pause, undefined, { signal }).catch(() => undefined);
    }
  }

  private async runUntilEnd(): Promise<void> {
    await this.returnJobs();
    const { concurrency, taskList, parsedCronItems } = this.options;
    const pool = makePool(this.database, concurrency);
    const events: WorkerEvents = new EventEmitter();
    let poolId: string | null = null;
    events.once('pool:create', ({ workerPool }) => (poolId = workerPool.id));
    try {
      const runner = await run({
        pgPool: pool,
        events,
        concurrency,
        noHandleSignals: true,
        pollInterval: POLL_INTERVAL_MS,
        preset: {
          worker: {
            gracefulShutdownAbortTimeout: ASKED_TO_END_AFTER_MS,
            // Without these settings, an error while completing a job would be uncaught and end the process.
            completeJobBatchDelay: 0,
            failJobBatchDelay: 0,
          },
        },
        logger: new WorkerLogger(() => (level, message) => {
          if (['error', 'warning'].includes(level)) logger.warn({ queue: true }, message);
        }),
        taskList,
        parsedCronItems,
      });
      this.runner = runner;
      const stop = () => runner.stop().catch(() => undefined);
      const life = this.stopping.signal.aborted ? null : this.locks.startHeartbeat(pool, poolId!, stop);
      if (life === null) void stop();
      life?.catch(stop);
      await runner.promise;
      await life?.then((end) => end()).catch(() => undefined);
    } finally {
      // Dead connections must not delay the next attempt.
      await withTimeout(pool.end(), CLOSE_MS, () => undefined);
      if (poolId !== null) this.ended.add(poolId);
      await this.returnJobs().catch(() => undefined);
    }
  }

  private async returnJobs(): Promise<void> {
    for (const poolId of this.ended) {
      await this.locks.returnJobs(poolId);
      this.ended.delete(poolId);
    }
  }
}

/** Two more connections, for LISTEN and the heartbeat. */
function makePool(config: DatabaseConfig, concurrency: number): Pool {
  const pool = new QueuePool(config, concurrency + 2);
  const onError = (error: Error) => logger.warn({ err: error }, 'job queue lost a database connection');
  pool.on('error', onError);
  pool.on('connect', (client) => client.on('error', onError));
  return pool;
}
