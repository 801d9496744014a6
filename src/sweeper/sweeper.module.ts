import { Module } from '@nestjs/common';
import { DeleteObjectJob } from './delete-object.job.js';
import { Installation } from './installation.js';
import { InstallationRepository } from './installation.repository.js';
import { MissingObjects } from './missing-objects.js';
import { ObjectOwnersRepository } from './object-owners.repository.js';
import { ReconcileJob } from './reconcile.job.js';

@Module({
  providers: [
    DeleteObjectJob,
    Installation,
    InstallationRepository,
    MissingObjects,
    ObjectOwnersRepository,
    ReconcileJob,
  ],
  exports: [Installation],
})
export class SweeperModule {}
