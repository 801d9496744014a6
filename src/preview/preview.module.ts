import { Module } from '@nestjs/common';
import { AssetsModule } from '../assets/assets.module.js';
import { MediaModule } from '../media/media.module.js';
import { DeleteOldFitsJob } from './delete-old-fits.job.js';
import { FitRenditions } from './fit-renditions.js';
import { HotRenditions } from './hot-renditions.js';
import { MakeRenditionsJob } from './make-renditions.job.js';
import { AdminPreviewController, PortalPreviewController } from './preview.controller.js';
import { PreviewReader } from './preview-reader.js';
import { PreviewSender } from './preview-sender.js';
import { RenditionMaker } from './rendition-maker.js';
import { RenditionSender } from './rendition-sender.js';
import { RenditionsRepository } from './renditions.repository.js';
import { RenditionsService } from './renditions.service.js';

@Module({
  imports: [AssetsModule, MediaModule],
  controllers: [AdminPreviewController, PortalPreviewController],
  providers: [
    DeleteOldFitsJob,
    FitRenditions,
    HotRenditions,
    MakeRenditionsJob,
    PreviewReader,
    PreviewSender,
    RenditionMaker,
    RenditionSender,
    RenditionsRepository,
    RenditionsService,
  ],
  exports: [FitRenditions, PreviewReader, PreviewSender, RenditionsService],
})
export class PreviewModule {}
