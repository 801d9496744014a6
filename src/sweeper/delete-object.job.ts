import { Injectable } from '@nestjs/common';
import { logger } from '../common/logging/logger.js';
import { Database } from '../database/database.js';
import { JobQueue } from '../jobs/job-queue.js';
import { Job, type JobHandler } from '../jobs/job.js';
import { DELETE_OBJECT, deleteObject, type DeleteObject } from '../storage/delete-object.js';
import { StorageService } from '../storage/storage.service.js';
import { BucketControl } from '../storage/bucket-control.js';
import { ObjectOwnersRepository } from './object-owners.repository.js';

/** Deletes an object that is no longer needed. Checks again at the last moment, so that an object with an owner is never deleted. */
@Injectable()
@Job(DELETE_OBJECT)
export class DeleteObjectJob implements JobHandler<DeleteObject> {
  constructor(
    private readonly owners: ObjectOwnersRepository,
    private readonly storage: StorageService,
    private readonly control: BucketControl,
    private readonly database: Database,
    private readonly queue: JobQueue,
  ) {}

  async run({ key }: DeleteObject): Promise<void> {
    if (!(await this.control.mayDelete())) {
      const later = deleteObject({ key }, { delaySeconds: this.control.retrySeconds });
      await this.queue.add(this.database.manager, later);
      return;
    }
    const [unowned] = await this.owners.findUnowned([key]);
    if (unowned === undefined) {
      logger.warn({ key }, 'object queued for deletion is still in use, keeping it');
      return;
    }
    await this.storage.delete(key);
  }
}
