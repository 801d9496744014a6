import { Module } from '@nestjs/common';
import { AssetsModule } from '../assets/assets.module.js';
import { AuditModule } from '../audit/audit.module.js';
import { AuthModule } from '../auth/auth.module.js';
import type { Config } from '../config/config.js';
import { FoldersModule } from '../folders/folders.module.js';
import { MediaModule } from '../media/media.module.js';
import { mediaDefaults, type MediaOptions } from '../media/media.types.js';
import { SweeperModule } from '../sweeper/sweeper.module.js';
import { DiscardedObjects } from './discarded-objects.js';
import { ExpireSessionsJob } from './expire-sessions.job.js';
import { FinalizeLease } from './finalize-lease.js';
import { FinalizeService } from './finalize.service.js';
import { TempFiles } from './temp-files.js';
import { UploadPromotion } from './upload-promotion.js';
import { UploadSessionsRepository } from './upload-sessions.repository.js';
import { AdminUploadsController, PortalUploadsController } from './uploads.controller.js';
import { UploadsService } from './uploads.service.js';

function mediaOptions({ limits, storage }: Config): Partial<MediaOptions> {
  return {
    limits: {
      ...mediaDefaults.limits,
      maxPixels: limits.imagePixels,
      ...(storage.configured ? { sourceTimeoutMs: storage.timeoutSeconds * 1000 } : {}),
    },
  };
}

@Module({
  imports: [
    AssetsModule,
    AuditModule,
    AuthModule,
    FoldersModule,
    MediaModule.register(mediaOptions),
    SweeperModule,
  ],
  controllers: [AdminUploadsController, PortalUploadsController],
  providers: [
    DiscardedObjects,
    ExpireSessionsJob,
    FinalizeLease,
    FinalizeService,
    TempFiles,
    UploadPromotion,
    UploadSessionsRepository,
    UploadsService,
  ],
  exports: [FinalizeService, UploadsService],
})
export class UploadsModule {}
