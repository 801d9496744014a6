import { Injectable } from '@nestjs/common';
import { logger } from '../common/logging/logger.js';
import { Job, type JobHandler } from '../jobs/job.js';
import { DELETE_OBJECT, type DeleteObject } from '../storage/delete-object.js';
import { StorageService } from '../storage/storage.service.js';
import { Installation } from '../storage/installation.js';
import { ObjectOwnersRepository } from './object-owners.repository.js';

/** Deletes an object that nothing needs any more. Asks again at the last moment: what someone owns is never deleted. */
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
      logger.warn({ key }, 'an object queued for deletion has an owner and stays');
      return;
    }
    if (await this.installation.bucketIsOthers()) {
      logger.warn({ key }, 'the bucket carries the id of another installation: nothing is deleted');
      return;
    }
    if (multipartUploadId) await this.storage.multipart.abort(key, multipartUploadId);
    await this.storage.delete(key);
  }
}
