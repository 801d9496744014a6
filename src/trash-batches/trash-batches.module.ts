import { Module } from '@nestjs/common';
import { TrashBatches } from './trash-batches.js';
import { TrashBatchesRepository } from './trash-batches.repository.js';

/** The records of what was trashed together, shared by folders, assets and the trash. */
@Module({
  providers: [TrashBatches, TrashBatchesRepository],
  exports: [TrashBatches, TrashBatchesRepository],
})
export class TrashBatchesModule {}
