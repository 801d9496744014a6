import { Global, Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { ReturnAbandonedJobsJob } from './return-abandoned-jobs.job.js';
import { JobLocks } from './job-locks.js';
import { JobQueue } from './job-queue.js';
import { JobRunner } from './job-runner.js';

@Global()
@Module({
  imports: [DiscoveryModule],
  providers: [ReturnAbandonedJobsJob, JobLocks, JobQueue, JobRunner],
  exports: [JobQueue],
})
export class JobsModule {}
