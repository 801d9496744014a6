import { Injectable } from '@nestjs/common';
import { logger } from '../common/logging/logger.js';
import { Database } from '../database/database.js';
import { Job, type JobHandler } from '../jobs/job.js';
import { assetPrefix } from '../storage/object-key.js';
import { StorageService } from '../storage/storage.service.js';
import { TrashRepository } from './trash.repository.js';

export const PURGE_BATCH = 'purge-batch';

const PAGE = 100;

/** Deletes a batch for good: each record only after its objects are gone, so that a crash leaves nothing behind unseen. */
@Injectable()
@Job(PURGE_BATCH)
export class PurgeBatchJob implements JobHandler<{ batchId: string }> {
  constructor(
    private readonly database: Database,
    private readonly trash: TrashRepository,
    private readonly storage: StorageService,
  ) {}

  async run({ batchId }: { batchId: string }, signal: AbortSignal): Promise<void> {
    const batch = await this.trash.findPurging(batchId);
    if (batch === null) return;
    for (;;) {
      signal.throwIfAborted();
      const assets = await this.trash.findAssets(batch.clientId, batchId, PAGE);
      if (assets.length === 0) break;
      for (const { id } of assets) await this.storage.deleteBelow(assetPrefix(batch.clientId, id));
      const ids = assets.map(({ id }) => id);
      await this.database.transaction((manager) => this.trash.deleteAssets(manager, batch.clientId, ids));
    }
    await this.database.transaction(async (manager) => {
      await this.trash.deleteFolders(manager, batch.clientId, batchId);
      await this.trash.deleteBatch(manager, batchId);
    });
    logger.info({ batchId, assets: batch.assets, folders: batch.folders }, 'trash batch purged');
  }
}
