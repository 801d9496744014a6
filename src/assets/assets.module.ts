import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/audit.module.js';
import { FoldersModule } from '../folders/folders.module.js';
import { TrashBatchesModule } from '../trash-batches/trash-batches.module.js';
import { UsagesModule } from '../usages/usages.module.js';
import { AgentAssets } from './agent-assets.js';
import { AssetTrashService } from './asset-trash.service.js';
import { AssetListingRepository } from './asset-listing.repository.js';
import { AdminAssetsController, PortalAssetsController } from './assets.controller.js';
import { AssetsRepository } from './assets.repository.js';
import { AssetsService } from './assets.service.js';
import { BulkService } from './bulk.service.js';
import { AdminFitnessController, PortalFitnessController } from './fitness.controller.js';
import { LibraryService } from './library.service.js';
import { OriginalSender } from './original-sender.js';
import { AdminUsagesController, PortalUsagesController } from './usages.controller.js';
import { UsagesService } from './usages.service.js';

@Module({
  imports: [AuditModule, FoldersModule, TrashBatchesModule, UsagesModule],
  controllers: [
    AdminAssetsController,
    AdminFitnessController,
    AdminUsagesController,
    PortalAssetsController,
    PortalFitnessController,
    PortalUsagesController,
  ],
  providers: [
    AgentAssets,
    AssetListingRepository,
    AssetTrashService,
    AssetsRepository,
    AssetsService,
    BulkService,
    LibraryService,
    OriginalSender,
    UsagesService,
  ],
  exports: [
    AgentAssets,
    AssetListingRepository,
    AssetsRepository,
    AssetsService,
    OriginalSender,
    UsagesService,
  ],
})
export class AssetsModule {}
