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
import { Pool } from 'pg';
import { inTime } from '../common/in-time.js';
import { logger } from '../common/logging/logger.js';
import type { DatabaseConfig } from '../config/config.js';
import { queuePool } from '../database/data-source-options.js';
import type { JobLocks } from './job-locks.js';
import type { LaneName } from './job.js';

/** When the process stops: jobs end by themselves, then are asked to, then go back to the queue. */
const ASKED_TO_END_AFTER_MS = 15_000;
const GIVEN_BACK_AFTER_MS = 22_000;
const CLOSE_MS = 3_000;
const SHORTEST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 30_000;

export interface LaneOptions {
  readonly name: LaneName;
  /** Jobs that run at once in this process. */
  readonly concurrency: number;
  /** Connections for taking and finishing jobs. */
  readonly connections: number;
  readonly pollIntervalMs: number;
  readonly taskList: TaskList;
  readonly parsedCronItems: ParsedCronItem[];
}

/** Takes jobs of its own names from the queue and runs them, with slots and connections of its own. */
export class JobLane {
  private readonly stopping = new AbortController();
  private runner: Runner | null = null;
  private working: Promise<void> = Promise.resolve();
  /** Ended, and perhaps still holding jobs: without the database these cannot be given back. */
  private readonly ended = new Set<string>();

  constructor(
    private readonly options: LaneOptions,
    private readonly locks: JobLocks,
    private readonly database: DatabaseConfig,
  ) {}

  start(): void {
    this.working = this.keepRunning();
  }

  /** Takes no more jobs; settles when those that run have ended or are back in the queue. */
  async stop(): Promise<void> {
    if (this.stopping.signal.aborted) return this.working;
    this.stopping.abort();
    const giveBack = setTimeout(() => {
      logger.warn('returning unfinished jobs to the queue');
      this.runner?.kill().catch(() => undefined);
    }, GIVEN_BACK_AFTER_MS);
    // It has ended by itself already when the database is away.
    await this.runner?.stop().catch(() => undefined);
    await this.working;
    clearTimeout(giveBack);
  }

  /** Whatever ends the queue, an outage of the database above all, it is taken up again. */
  private async keepRunning(): Promise<void> {
    const { signal } = this.stopping;
    for (let pause = SHORTEST_PAUSE_MS; !signal.aborted; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
      const startedAt = Date.now();
      await this.runUntilEnd().catch((error: unknown) => logger.error({ err: error }, 'the queue stopped'));
      if (signal.aborted) return;
      if (Date.now() - startedAt > LONGEST_PAUSE_MS) pause = SHORTEST_PAUSE_MS;
      logger.warn({ pauseMs: pause }, 'restarting the queue after a pause');
      await delay(pause, undefined, { signal }).catch(() => undefined);
    }
  }

  private async runUntilEnd(): Promise<void> {
    await this.giveBack();
    const { concurrency, connections, pollIntervalMs, taskList, parsedCronItems } = this.options;
    const pool = makePool(this.database, connections);
    const events: WorkerEvents = new EventEmitter();
    let poolId: string | null = null;
    events.once('pool:create', ({ workerPool }) => (poolId = workerPool.id));
    try {
      const runner = await run({
        pgPool: pool,
        events,
        concurrency,
        noHandleSignals: true,
        pollInterval: pollIntervalMs,
        preset: {
          worker: {
            gracefulShutdownAbortTimeout: ASKED_TO_END_AFTER_MS,
            // Without these nobody catches it when a job's end cannot be written down, and the process dies of that.
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
      const life = this.stopping.signal.aborted ? null : this.locks.showLife(pool, poolId!, stop);
      if (life === null) void stop();
      life?.catch(stop);
      await runner.promise;
      await life?.then((end) => end()).catch(() => undefined);
    } finally {
      // Connections on which nothing comes back any more must not hold up the next attempt.
      await inTime(pool.end(), CLOSE_MS, () => undefined);
      if (poolId !== null) this.ended.add(poolId);
      await this.giveBack().catch(() => undefined);
    }
  }

  private async giveBack(): Promise<void> {
    for (const poolId of this.ended) {
      await this.locks.giveBack(poolId);
      this.ended.delete(poolId);
    }
  }
}

/** Connections of its own, so that background work never starves requests; two more for LISTEN and the sign of life. */
function makePool(config: DatabaseConfig, connections: number): Pool {
  const pool = new Pool(queuePool(config, connections + 2));
  const onError = (error: Error) => logger.warn({ err: error }, 'the queue lost a connection');
  pool.on('error', onError);
  pool.on('connect', (client) => client.on('error', onError));
  return pool;
}
