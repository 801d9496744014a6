import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/audit.module.js';
import { AdminFoldersController, PortalFoldersController } from './folders.controller.js';
import { FolderStructure } from './folder-structure.js';
import { FoldersRepository } from './folders.repository.js';
import { FoldersService } from './folders.service.js';
import { SocialFolders } from './social-folders.js';

@Module({
  imports: [AuditModule],
  controllers: [AdminFoldersController, PortalFoldersController],
  providers: [FolderStructure, FoldersRepository, FoldersService, SocialFolders],
  exports: [FolderStructure, FoldersRepository, FoldersService, SocialFolders],
})
export class FoldersModule {}
