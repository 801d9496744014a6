import { Module } from '@nestjs/common';
import { AssetsModule } from '../assets/assets.module.js';
import { MediaModule } from '../media/media.module.js';
import { SweeperModule } from '../sweeper/sweeper.module.js';
import { FirstRenditions } from './first-renditions.js';
import { FreshPictures } from './fresh-pictures.js';
import { HotRenditions } from './hot-renditions.js';
import { MakeRenditionsJob } from './make-renditions.job.js';
import { AdminPreviewController, PortalPreviewController } from './preview.controller.js';
import { PreviewSender } from './preview-sender.js';
import { RenditionMaker } from './rendition-maker.js';
import { RenditionsRepository } from './renditions.repository.js';
import { RenditionsService } from './renditions.service.js';

@Module({
  imports: [AssetsModule, MediaModule, SweeperModule],
  controllers: [AdminPreviewController, PortalPreviewController],
  providers: [
    FirstRenditions,
    FreshPictures,
    HotRenditions,
    MakeRenditionsJob,
    PreviewSender,
    RenditionMaker,
    RenditionsRepository,
    RenditionsService,
  ],
  exports: [FirstRenditions],
})
export class PreviewModule {}
