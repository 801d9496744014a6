import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/audit.module.js';
import { FoldersModule } from '../folders/folders.module.js';
import { EmptyTrashJob } from './empty-trash.job.js';
import { PurgeBatchJob } from './purge-batch.job.js';
import { RestoreService } from './restore.service.js';
import { AdminTrashController, PortalTrashController } from './trash.controller.js';
import { TrashRepository } from './trash.repository.js';
import { TrashService } from './trash.service.js';

@Module({
  imports: [AuditModule, FoldersModule],
  controllers: [AdminTrashController, PortalTrashController],
  providers: [EmptyTrashJob, PurgeBatchJob, RestoreService, TrashRepository, TrashService],
  exports: [TrashService],
})
export class TrashModule {}
