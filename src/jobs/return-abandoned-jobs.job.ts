import { Injectable } from '@nestjs/common';
import { JobLocks } from './job-locks.js';
import { Job, type JobHandler } from './job.js';

/** Ensures that a killed worker delays its jobs by minutes instead of hours. */
@Job('give-back-jobs', { cron: '* * * * *', overlapping: true })
@Injectable()
export class ReturnAbandonedJobsJob implements JobHandler {
  constructor(private readonly locks: JobLocks) {}

  async run(): Promise<void> {
    await this.locks.returnAbandonedJobs();
  }
}
