import { Injectable } from '@nestjs/common';
import { JobLocks } from './job-locks.js';
import { Job, type JobHandler } from './job.js';

/** Ensures that a killed worker delays its jobs by minutes: graphile-worker (0.18) itself waits four hours. */
@Job('return-abandoned-jobs', { cron: '* * * * *', overlapping: true })
@Injectable()
export class ReturnAbandonedJobsJob implements JobHandler {
  constructor(private readonly locks: JobLocks) {}

  async run(): Promise<void> {
    await this.locks.returnAbandonedJobs();
  }
}
