import { Injectable, type OnApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { DiscoveryService, Reflector } from '@nestjs/core';
import { Logger as WorkerLogger, parseCronItems, run, type Runner, type Task } from 'graphile-worker';
import { logger } from '../common/logging/logger.js';
import { jobsRun } from '../common/metrics/metrics.js';
import type { Config } from '../config/config.js';
import { InjectConfig } from '../config/config.token.js';
import { JOB, type JobHandler, type JobOptions } from './job.js';

const CONCURRENCY = 4;

/** Runs the queue of background work; any number of processes may, each job still runs in one of them. */
@Injectable()
export class JobRunner implements OnApplicationBootstrap, OnApplicationShutdown {
  private runner: Runner | null = null;

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly reflector: Reflector,
    @InjectConfig() private readonly config: Config,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    if (this.config.worker === 'off') return;
    const jobs = this.jobs();
    this.runner = await run({
      // Connections of its own, so that background work never starves requests; one more for LISTEN.
      connectionString: this.config.database.url,
      maxPoolSize: CONCURRENCY + 1,
      concurrency: CONCURRENCY,
      noHandleSignals: true,
      pollInterval: 1_000,
      logger: new WorkerLogger(() => (level, message) => {
        if (['error', 'warning'].includes(level)) logger.warn({ queue: true }, message);
      }),
      taskList: Object.fromEntries<Task>(jobs.map((job) => [job.name, taskOf(job)])),
      parsedCronItems: parseCronItems(
        jobs.flatMap(({ name, cron }) =>
          cron
            ? [
                {
                  task: name,
                  match: cron,
                  identifier: name,
                  options: { jobKey: `cron:${name}`, backfillPeriod: 0 },
                },
              ]
            : [],
        ),
      ),
    });
    this.runner.promise.catch((error: unknown) => logger.error({ err: error }, 'the queue stopped'));
  }

  async onApplicationShutdown(): Promise<void> {
    await this.runner?.stop().catch(() => undefined);
  }

  private jobs(): (JobOptions & { handler: JobHandler })[] {
    return this.discovery.getProviders().flatMap(({ metatype, instance }) => {
      if (typeof metatype !== 'function') return [];
      const options = this.reflector.get<JobOptions | undefined>(JOB, metatype);
      return options ? [{ ...options, handler: instance as JobHandler }] : [];
    });
  }
}

function taskOf({ name, handler }: JobOptions & { handler: JobHandler }): Task {
  return async (payload, helpers) => {
    const startedAt = performance.now();
    try {
      await handler.run(payload, helpers.abortSignal);
      jobsRun.inc({ job: name, outcome: 'done' });
      logger.debug({ job: name, ms: Math.round(performance.now() - startedAt) }, 'job done');
    } catch (error) {
      jobsRun.inc({ job: name, outcome: 'failed' });
      logger.warn({ job: name, attempt: helpers.job.attempts, err: error }, 'job failed, will be repeated');
      throw error;
    }
  };
}
