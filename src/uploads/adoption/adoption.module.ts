import { Module } from '@nestjs/common';
import { AssetsModule } from '../../assets/assets.module.js';
import { AuditModule } from '../../audit/audit.module.js';
import { FoldersModule } from '../../folders/folders.module.js';
import { MediaModule } from '../../media/media.module.js';
import { TrashBatchesModule } from '../../trash-batches/trash-batches.module.js';
import { OriginalVerification } from '../original-verification.js';
import { AdoptionRepository } from './adoption.repository.js';
import { AdoptionService } from './adoption.service.js';

/** Only for the command line. */
@Module({
  imports: [AssetsModule, AuditModule, FoldersModule, MediaModule, TrashBatchesModule],
  providers: [AdoptionRepository, AdoptionService, OriginalVerification],
  exports: [AdoptionService],
})
export class AdoptionModule {}
