import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/audit.module.js';
import { AdminFoldersController, PortalFoldersController } from './folders.controller.js';
import { TrashBatchesModule } from '../trash-batches/trash-batches.module.js';
import { UsagesModule } from '../usages/usages.module.js';
import { FolderTrashService } from './folder-trash.service.js';
import { FolderStructure } from './folder-structure.js';
import { FoldersRepository } from './folders.repository.js';
import { FoldersService } from './folders.service.js';

@Module({
  imports: [AuditModule, TrashBatchesModule, UsagesModule],
  controllers: [AdminFoldersController, PortalFoldersController],
  providers: [FolderStructure, FolderTrashService, FoldersRepository, FoldersService],
  exports: [FolderStructure, FolderTrashService, FoldersRepository, FoldersService],
})
export class FoldersModule {}
