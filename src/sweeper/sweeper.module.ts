import { Module } from '@nestjs/common';
import { DeleteObjectJob } from './delete-object.job.js';
import { MissingObjects } from './missing-objects.js';
import { ObjectOwnersRepository } from './object-owners.repository.js';
import { ReconcileJob } from './reconcile.job.js';

@Module({ providers: [DeleteObjectJob, MissingObjects, ObjectOwnersRepository, ReconcileJob] })
export class SweeperModule {}
