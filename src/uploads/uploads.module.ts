import { Module } from '@nestjs/common';
import { AssetsModule } from '../assets/assets.module.js';
import { AuditModule } from '../audit/audit.module.js';
import { AuthModule } from '../auth/auth.module.js';
import { FoldersModule } from '../folders/folders.module.js';
import { MediaModule } from '../media/media.module.js';
import { PreviewModule } from '../preview/preview.module.js';
import { DeleteUploadsJob } from './delete-uploads.job.js';
import { DiscardedObjects } from './discarded-objects.js';
import { ExpireSessionsJob } from './expire-sessions.job.js';
import { FinalizeLease } from './finalize-lease.js';
import { FinalizeService } from './finalize.service.js';
import { OriginalVerification } from './original-verification.js';
import { UploadPromotion } from './upload-promotion.js';
import { UploadSessionsRepository } from './upload-sessions.repository.js';
import { AdminUploadsController, PortalUploadsController } from './uploads.controller.js';
import { UploadsService } from './uploads.service.js';

@Module({
  imports: [AssetsModule, AuditModule, AuthModule, FoldersModule, MediaModule, PreviewModule],
  controllers: [AdminUploadsController, PortalUploadsController],
  providers: [
    DeleteUploadsJob,
    DiscardedObjects,
    ExpireSessionsJob,
    FinalizeLease,
    FinalizeService,
    OriginalVerification,
    UploadPromotion,
    UploadSessionsRepository,
    UploadsService,
  ],
  exports: [FinalizeService, UploadsService],
})
export class UploadsModule {}
