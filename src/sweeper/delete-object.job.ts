import { Injectable } from '@nestjs/common';
import { logger } from '../common/logging/logger.js';
import type { Enqueue, QueuedJob } from '../jobs/job-queue.js';
import { Job, type JobHandler } from '../jobs/job.js';
import { StorageService } from '../storage/storage.service.js';
import { Installation } from './installation.js';
import { ObjectOwnersRepository } from './object-owners.repository.js';

const DELETE_OBJECT = 'delete-object';
/** As late as the last preview job: nobody waits for deletions, however many a client causes. */
const PRIORITY = 1_000;

export interface DeleteObject {
  readonly key: string;
  /** A multipart upload to the key that may never have been completed. */
  readonly multipartUploadId?: string;
}

export function deleteObject(
  payload: DeleteObject,
  when: Pick<Enqueue, 'runAt' | 'delaySeconds'> = {},
): QueuedJob {
  return { name: DELETE_OBJECT, payload, priority: PRIORITY, ...when };
}

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
    if (multipartUploadId) await this.storage.abortMultipart(key, multipartUploadId);
    await this.storage.delete(key);
  }
}
