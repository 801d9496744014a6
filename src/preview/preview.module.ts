import { Module } from '@nestjs/common';
import { AssetsModule } from '../assets/assets.module.js';
import { MediaModule } from '../media/media.module.js';
import { AdminDownloadController, PortalDownloadController } from './download.controller.js';
import { DeleteOldFitsJob } from './delete-old-fits.job.js';
import { HotRenditions } from './hot-renditions.js';
import { MakeRenditionsJob } from './make-renditions.job.js';
import { AdminPreviewController, PortalPreviewController } from './preview.controller.js';
import { PreviewReader } from './preview-reader.js';
import { PreviewSender } from './preview-sender.js';
import { RenditionMaker } from './rendition-maker.js';
import { RenditionsRepository } from './renditions.repository.js';
import { RenditionsService } from './renditions.service.js';

@Module({
  imports: [AssetsModule, MediaModule],
  controllers: [
    AdminDownloadController,
    AdminPreviewController,
    PortalDownloadController,
    PortalPreviewController,
  ],
  providers: [
    DeleteOldFitsJob,
    HotRenditions,
    MakeRenditionsJob,
    PreviewReader,
    PreviewSender,
    RenditionMaker,
    RenditionsRepository,
    RenditionsService,
  ],
  exports: [PreviewReader, PreviewSender, RenditionsService],
})
export class PreviewModule {}
