import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/audit.module.js';
import { FoldersModule } from '../folders/folders.module.js';
import { PreviewModule } from '../preview/preview.module.js';
import { TrashBatchesModule } from '../trash-batches/trash-batches.module.js';
import { EmptyTrashJob } from './empty-trash.job.js';
import { PurgeTrashJob } from './purge-trash.job.js';
import { PurgeRepository } from './purge.repository.js';
import { RestoreService } from './restore.service.js';
import { AdminTrashController, PortalTrashController } from './trash.controller.js';
import { TrashPicturesRepository } from './trash-pictures.repository.js';
import { TrashService } from './trash.service.js';

@Module({
  imports: [AuditModule, FoldersModule, PreviewModule, TrashBatchesModule],
  controllers: [AdminTrashController, PortalTrashController],
  providers: [
    EmptyTrashJob,
    PurgeRepository,
    PurgeTrashJob,
    RestoreService,
    TrashPicturesRepository,
    TrashService,
  ],
})
export class TrashModule {}
