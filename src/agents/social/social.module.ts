import { Module } from '@nestjs/common';
import { AssetsModule } from '../../assets/assets.module.js';
import { AuditModule } from '../../audit/audit.module.js';
import { FoldersModule } from '../../folders/folders.module.js';
import { TrashBatchesModule } from '../../trash-batches/trash-batches.module.js';
import { UsagesModule } from '../../usages/usages.module.js';
import { SocialFoldersService } from './social-folders.service.js';
import { SocialController } from './social.controller.js';
import { SocialService } from './social.service.js';

@Module({
  imports: [AssetsModule, AuditModule, FoldersModule, TrashBatchesModule, UsagesModule],
  controllers: [SocialController],
  providers: [SocialFoldersService, SocialService],
  exports: [SocialService],
})
export class SocialModule {}
