import { Global, Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { JobQueue } from './job-queue.js';
import { JobRunner } from './job-runner.js';

@Global()
@Module({ imports: [DiscoveryModule], providers: [JobQueue, JobRunner], exports: [JobQueue] })
export class JobsModule {}
