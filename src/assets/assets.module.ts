import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/audit.module.js';
import { FoldersModule } from '../folders/folders.module.js';
import { TrashBatchesModule } from '../trash-batches/trash-batches.module.js';
import { UsagesModule } from '../usages/usages.module.js';
import { AgentAssets } from './agent-assets.js';
import { AdminAssetDetailsController, PortalAssetDetailsController } from './asset-details.controller.js';
import { AssetEditsService } from './asset-edits.service.js';
import { AssetTrashService } from './asset-trash.service.js';
import { AssetListingRepository } from './asset-listing.repository.js';
import { AdminAssetsController, PortalAssetsController } from './assets.controller.js';
import { AssetsRepository } from './assets.repository.js';
import { AssetsService } from './assets.service.js';
import { BulkService } from './bulk.service.js';
import { LibraryService } from './library.service.js';
import { OriginalSender } from './original-sender.js';

@Module({
  imports: [AuditModule, FoldersModule, TrashBatchesModule, UsagesModule],
  controllers: [
    AdminAssetsController,
    AdminAssetDetailsController,
    PortalAssetsController,
    PortalAssetDetailsController,
  ],
  providers: [
    AgentAssets,
    AssetEditsService,
    AssetListingRepository,
    AssetTrashService,
    AssetsRepository,
    AssetsService,
    BulkService,
    LibraryService,
    OriginalSender,
  ],
  exports: [AgentAssets, AssetListingRepository, AssetsRepository, AssetsService, OriginalSender],
})
export class AssetsModule {}
