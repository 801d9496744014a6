import { Injectable } from '@nestjs/common';
import { AssetsRepository } from '../assets/assets.repository.js';
import { Database } from '../database/database.js';
import { JobQueue } from '../jobs/job-queue.js';
import { Job, type JobHandler } from '../jobs/job.js';
import { renditionKey } from '../storage/object-key.js';
import { StorageService } from '../storage/storage.service.js';
import { BucketControl } from '../storage/bucket-control.js';
import { isOldFit } from './fit-rendition.rules.js';
import { DELETE_OLD_FITS, deleteOldFits } from '../assets/old-fits.js';
import { RenditionsRepository } from './renditions.repository.js';

/** Longer than a deletion takes. If the process dies, anyone can make the rendition again after this time. */
const HOLD_SECONDS = 30;

/**
 * Deletes the `fit` renditions that were cropped around an earlier focal point. Each is locked first, as if to be made, so that nobody
 * makes it between the deletion of its object and of its record. Trashed assets are skipped, because their purge deletes everything.
 */
@Injectable()
@Job(DELETE_OLD_FITS)
export class DeleteOldFitsJob implements JobHandler<{ clientId: string; assetId: string }> {
  constructor(
    private readonly assets: AssetsRepository,
    private readonly renditions: RenditionsRepository,
    private readonly storage: StorageService,
    private readonly control: BucketControl,
    private readonly database: Database,
    private readonly queue: JobQueue,
  ) {}

  async run({ clientId, assetId }: { clientId: string; assetId: string }): Promise<void> {
    const asset = await this.assets.findById({ clientId }, assetId);
    if (asset === null) return;
    const names = await this.renditions.findStored(asset);
    const old = names.filter((name) => isOldFit(name, asset));
    if (old.length === 0) return;
    if (!(await this.control.mayDelete())) {
      const later = { ...deleteOldFits(asset), delaySeconds: this.control.retrySeconds };
      await this.queue.add(this.database.manager, later);
      return;
    }
    let busy = 0;
    for (const name of old) {
      const taken = await this.renditions.takeMissing(asset, [name], HOLD_SECONDS, true);
      if (taken.length === 1) {
        await this.storage.delete(renditionKey(clientId, assetId, name));
        await this.renditions.delete(asset, name);
      } else busy += 1;
    }
    if (busy > 0) throw new Error(`${busy} renditions are being made and cannot be deleted yet.`);
  }
}
