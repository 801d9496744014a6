import { Module } from '@nestjs/common';
import { AssetsModule } from '../../assets/assets.module.js';
import { AuditModule } from '../../audit/audit.module.js';
import { FoldersModule } from '../../folders/folders.module.js';
import { UsagesModule } from '../../usages/usages.module.js';
import { ReferencesController } from './references.controller.js';
import { ReferencesService } from './references.service.js';

@Module({
  imports: [AssetsModule, AuditModule, FoldersModule, UsagesModule],
  controllers: [ReferencesController],
  providers: [ReferencesService],
  exports: [ReferencesService],
})
export class ReferencesModule {}
