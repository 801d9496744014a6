import { Global, Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { ForgetJobQueuesJob } from './forget-job-queues.job.js';
import { GiveBackJobsJob } from './give-back-jobs.job.js';
import { JobLocks } from './job-locks.js';
import { JobQueue } from './job-queue.js';
import { JobRunner } from './job-runner.js';

@Global()
@Module({
  imports: [DiscoveryModule],
  providers: [ForgetJobQueuesJob, GiveBackJobsJob, JobLocks, JobQueue, JobRunner],
  exports: [JobQueue],
})
export class JobsModule {}
