import { Injectable } from '@nestjs/common';
import { JobLocks } from './job-locks.js';
import { Job, type JobHandler } from './job.js';

/** So that a worker that was killed delays its jobs by minutes, not by hours. */
@Job('give-back-jobs', { cron: '* * * * *', overlapping: true })
@Injectable()
export class GiveBackJobsJob implements JobHandler {
  constructor(private readonly locks: JobLocks) {}

  async run(): Promise<void> {
    await this.locks.giveBackAbandoned();
  }
}
