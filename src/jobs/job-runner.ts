import { type BeforeApplicationShutdown, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { DiscoveryService, Reflector } from '@nestjs/core';
import { type ParsedCronItem, parseCronItems, type TaskList } from 'graphile-worker';
import { logger } from '../common/logging/logger.js';
import { jobsRun } from '../common/metrics/metrics.js';
import type { Config } from '../config/config.js';
import { InjectConfig } from '../config/config.token.js';
import { JobLane, type LaneOptions } from './job-lane.js';
import { JobLocks } from './job-locks.js';
import { JOB, type JobHandler, type JobOptions, type LaneName } from './job.js';

const CONCURRENCY = 4;
/** Deliveries wait for other systems: few connections serve many of them. */
const DELIVERY_CONNECTIONS = 3;

type FoundJob = JobOptions & { handler: JobHandler };

/** Runs background jobs. Any number of processes can do this; each job still runs in only one of them. */
@Injectable()
export class JobRunner implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private lanes: JobLane[] = [];

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly reflector: Reflector,
    private readonly locks: JobLocks,
    @InjectConfig() private readonly config: Config,
  ) {}

  onApplicationBootstrap(): void {
    if (this.config.worker === 'off') return;
    const jobs = this.jobs();
    const jobsOf = (lane: LaneName) => {
      const own = jobs.filter((job) => (job.lane ?? 'main') === lane);
      return { name: lane, taskList: tasksOf(own), parsedCronItems: timetableOf(own) };
    };
    const main = { concurrency: CONCURRENCY, connections: CONCURRENCY };
    const deliveries = {
      concurrency: this.config.deliveries.concurrency,
      connections: DELIVERY_CONNECTIONS,
    };
    const lanes: LaneOptions[] = [
      { ...jobsOf('main'), ...main },
      { ...jobsOf('deliveries'), ...deliveries },
    ];
    this.lanes = lanes
      .filter(({ taskList }) => Object.keys(taskList).length > 0)
      .map((options) => new JobLane(options, this.locks, this.config.database));
    for (const lane of this.lanes) lane.start();
  }

  /** Before anything that jobs need is closed. */
  beforeApplicationShutdown(): Promise<void> {
    return this.stop();
  }

  /** Takes no more jobs. Resolves when running jobs have ended or returned to the queue. */
  async stop(): Promise<void> {
    await Promise.all(this.lanes.map((lane) => lane.stop()));
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
  const tasks: TaskList = {};
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
