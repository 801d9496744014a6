import { Module } from '@nestjs/common';
import { TrashBatches } from './trash-batches.js';
import { TrashBatchesRepository } from './trash-batches.repository.js';

/** What folders, assets and the trash share: the records of what was trashed together. */
@Module({
  providers: [TrashBatches, TrashBatchesRepository],
  exports: [TrashBatches, TrashBatchesRepository],
})
export class TrashBatchesModule {}
