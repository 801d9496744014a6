import { Module } from '@nestjs/common';
import { DeleteObjectJob } from './delete-object.job.js';
import { Installation } from './installation.js';
import { ObjectOwnersRepository } from './object-owners.repository.js';
import { ReconcileJob } from './reconcile.job.js';

@Module({
  providers: [DeleteObjectJob, Installation, ObjectOwnersRepository, ReconcileJob],
  exports: [Installation],
})
export class SweeperModule {}
