import { Injectable } from '@nestjs/common';
import { JobLocks } from './job-locks.js';
import { Job, type JobHandler } from './job.js';

/** There are queues per client and per target: without this each would leave a row behind for ever. */
@Job('forget-job-queues', { cron: '40 3 * * *' })
@Injectable()
export class ForgetJobQueuesJob implements JobHandler {
  constructor(private readonly locks: JobLocks) {}

  async run(): Promise<void> {
    await this.locks.forgetEmptyQueues();
  }
}
