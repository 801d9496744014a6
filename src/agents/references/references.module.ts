import { Module } from '@nestjs/common';
import { AssetsModule } from '../../assets/assets.module.js';
import { AuditModule } from '../../audit/audit.module.js';
import { FoldersModule } from '../../folders/folders.module.js';
import { UsagesModule } from '../../usages/usages.module.js';
import { ResolveModule } from '../resolve/resolve.module.js';
import { ReferencesController } from './references.controller.js';
import { ReferencesService } from './references.service.js';
import { AdminUsagesController, PortalUsagesController } from './usages.controller.js';
import { UsagesService } from './usages.service.js';

@Module({
  imports: [AssetsModule, AuditModule, FoldersModule, ResolveModule, UsagesModule],
  controllers: [AdminUsagesController, PortalUsagesController, ReferencesController],
  providers: [ReferencesService, UsagesService],
  exports: [ReferencesService, UsagesService],
})
export class ReferencesModule {}
