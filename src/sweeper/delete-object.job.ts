import { Injectable } from '@nestjs/common';
import { logger } from '../common/logging/logger.js';
import { Job, type JobHandler } from '../jobs/job.js';
import { DELETE_OBJECT, type DeleteObject } from '../storage/delete-object.js';
import { StorageService } from '../storage/storage.service.js';
import { Installation } from '../storage/installation.js';
import { ObjectOwnersRepository } from './object-owners.repository.js';

/** Deletes an object that is no longer needed. Checks again at the last moment, so that an object with an owner is never deleted. */
@Injectable()
@Job(DELETE_OBJECT)
export class DeleteObjectJob implements JobHandler<DeleteObject> {
  constructor(
    private readonly owners: ObjectOwnersRepository,
    private readonly storage: StorageService,
    private readonly installation: Installation,
  ) {}

  async run({ key, multipartUploadId }: DeleteObject): Promise<void> {
    const [unowned] = await this.owners.findUnowned([key]);
    if (unowned === undefined) {
      logger.warn({ key }, 'object queued for deletion is still in use, keeping it');
      return;
    }
    if (await this.installation.bucketIsOthers()) {
      logger.warn({ key }, 'bucket belongs to another installation, not deleting');
      return;
    }
    if (multipartUploadId) await this.storage.multipart.abort(key, multipartUploadId);
    await this.storage.delete(key);
  }
}
