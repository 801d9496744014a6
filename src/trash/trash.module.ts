import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/audit.module.js';
import { FoldersModule } from '../folders/folders.module.js';
import { UsagesModule } from '../usages/usages.module.js';
import { EmptyTrashJob } from './empty-trash.job.js';
import { PurgeTrashJob } from './purge-trash.job.js';
import { PurgeRepository } from './purge.repository.js';
import { RestoreService } from './restore.service.js';
import { AdminTrashController, PortalTrashController } from './trash.controller.js';
import { TrashRepository } from './trash.repository.js';
import { TrashService } from './trash.service.js';

@Module({
  imports: [AuditModule, FoldersModule, UsagesModule],
  controllers: [AdminTrashController, PortalTrashController],
  providers: [EmptyTrashJob, PurgeRepository, PurgeTrashJob, RestoreService, TrashRepository, TrashService],
  exports: [TrashService],
})
export class TrashModule {}
