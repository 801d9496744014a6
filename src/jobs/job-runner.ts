import { type BeforeApplicationShutdown, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { DiscoveryService, Reflector } from '@nestjs/core';
import { type ParsedCronItem, parseCronItems, type TaskList } from 'graphile-worker';
import { logger } from '../common/logging/logger.js';
import { jobsRun } from '../common/metrics/metrics.js';
import type { Config } from '../config/config.js';
import { InjectConfig } from '../config/config.token.js';
import { JobLocks } from './job-locks.js';
import { JobWorker } from './job-worker.js';
import { JOB, type JobHandler, type JobOptions } from './job.js';

const CONCURRENCY = 4;

/** Tasks of earlier versions. Their jobs may still be queued, or return to the queue; without a task they would wait forever. */
const RETIRED = [
  'check-renditions',
  'delete-old-upload-sessions',
  'deliver',
  'forget-job-queues',
  'forget-sign-ins',
  'forget-upload-sessions',
  'give-back-jobs',
  'settle-delivery',
];

type FoundJob = JobOptions & { handler: JobHandler };

/** Runs background jobs. Any number of processes can do this; each job still runs in only one of them. */
@Injectable()
export class JobRunner implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private worker: JobWorker | null = null;

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly reflector: Reflector,
    private readonly locks: JobLocks,
    @InjectConfig() private readonly config: Config,
  ) {}

  onApplicationBootstrap(): void {
    if (this.config.worker === 'off') return;
    const jobs = this.jobs();
    const options = {
      concurrency: CONCURRENCY,
      taskList: tasksOf(jobs),
      parsedCronItems: timetableOf(jobs),
    };
    this.worker = new JobWorker(options, this.locks, this.config.database);
    this.worker.start();
  }

  /** Before anything that jobs need is closed. */
  beforeApplicationShutdown(): Promise<void> {
    return this.stop();
  }

  /** Takes no more jobs. Resolves when running jobs have ended or returned to the queue. */
  async stop(): Promise<void> {
    await this.worker?.stop();
  }

  private jobs(): FoundJob[] {
    return this.discovery.getProviders().flatMap(({ metatype, instance }) => {
      if (typeof metatype !== 'function') return [];
      const options = this.reflector.get<JobOptions | undefined>(JOB, metatype);
      return options ? [{ ...options, handler: instance as JobHandler }] : [];
    });
  }
}

function timetableOf(jobs: FoundJob[]): ParsedCronItem[] {
  return parseCronItems(
    jobs.flatMap(({ name, cron, overlapping }) =>
      cron
        ? [
            {
              task: name,
              match: cron,
              identifier: name,
              options: {
                jobKey: `cron:${name}`,
                // A separate queue: one run at a time, across all processes.
                queueName: overlapping ? undefined : name,
                backfillPeriod: 0,
              },
            },
          ]
        : [],
    ),
  );
}

function tasksOf(jobs: FoundJob[]): TaskList {
  const tasks: TaskList = Object.fromEntries(RETIRED.map((name) => [name, () => Promise.resolve()]));
  for (const { name, handler } of jobs) {
    tasks[name] = async (payload, helpers) => {
      const startedAt = performance.now();
      try {
        await handler.run(payload, helpers.abortSignal);
        jobsRun.inc({ job: name, outcome: 'done' });
        logger.debug({ job: name, ms: Math.round(performance.now() - startedAt) }, 'job done');
      } catch (error) {
        jobsRun.inc({ job: name, outcome: 'failed' });
        logger.warn({ job: name, attempt: helpers.job.attempts, err: error }, 'job failed, will be retried');
        throw error;
      }
    };
  }
  return tasks;
}
