import { Module } from '@nestjs/common';
import { AdminAssetsController, PortalAssetsController } from './assets.controller.js';
import { AssetsRepository } from './assets.repository.js';
import { AssetsService } from './assets.service.js';
import { OriginalSender } from './original-sender.js';

@Module({
  controllers: [AdminAssetsController, PortalAssetsController],
  providers: [AssetsRepository, AssetsService, OriginalSender],
  exports: [AssetsRepository],
})
export class AssetsModule {}
