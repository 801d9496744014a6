import { Module } from '@nestjs/common';
import { JobQueue } from '../jobs/job-queue.js';
import { DeleteObjectJob } from './delete-object.job.js';
import { MissingObjects } from './missing-objects.js';
import { ObjectOwnersRepository } from './object-owners.repository.js';
import { ReconcileJob } from './reconcile.job.js';

/** The command line loads it without the queue's runner. */
@Module({ providers: [DeleteObjectJob, JobQueue, MissingObjects, ObjectOwnersRepository, ReconcileJob] })
export class SweeperModule {}
