import { Injectable } from '@nestjs/common';
import { JobLocks } from './job-locks.js';
import { Job, type JobHandler } from './job.js';

/** There are queues per client and per target. Without this job, each would leave a row behind forever. */
@Job('forget-job-queues', { cron: '40 3 * * *' })
@Injectable()
export class DeleteEmptyQueuesJob implements JobHandler {
  constructor(private readonly locks: JobLocks) {}

  async run(): Promise<void> {
    await this.locks.deleteEmptyQueues();
  }
}
