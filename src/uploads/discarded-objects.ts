import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { UploadSession } from '../database/entities/upload-session.entity.js';
import { type Enqueue, JobQueue } from '../jobs/job-queue.js';
import { originalKey, uploadKey } from '../storage/object-key.js';
import { type DeleteObject, deleteObject } from '../sweeper/delete-object.job.js';

/** A PUT that began before its URL expired may end after it; a copy that was given up may still be made. */
const LATE_WRITE_SECONDS = 60 * 60;

/** Queues the deletion of bytes that a session leaves behind, in the transaction that makes them superfluous. */
@Injectable()
export class DiscardedObjects {
  constructor(private readonly queue: JobQueue) {}

  /** Twice: whoever still holds the URL can write to the key again until it expires. */
  async discardUpload(manager: EntityManager, session: UploadSession): Promise<void> {
    const payload = {
      key: uploadKey(session.clientId, session.id),
      ...(session.multipartUploadId ? { multipartUploadId: session.multipartUploadId } : {}),
    };
    const runAt = new Date(session.urlExpiresAt.getTime() + LATE_WRITE_SECONDS * 1000);
    await this.deleteNowAndLater(manager, payload, { runAt });
  }

  /** Twice: the store may still be making the copy that we no longer wait for. */
  async discardAttempt(manager: EntityManager, session: UploadSession): Promise<void> {
    // A lease that ended long ago means a restored backup: the copy may be an asset by now. Reconciliation decides.
    if (session.attempt === null || session.isLongAbandoned) return;
    const payload = { key: originalKey(session.clientId, session.assetId, session.attempt) };
    await this.deleteNowAndLater(manager, payload, { delaySeconds: LATE_WRITE_SECONDS });
  }

  private async deleteNowAndLater(
    manager: EntityManager,
    payload: DeleteObject,
    later: Enqueue,
  ): Promise<void> {
    await this.queue.add(manager, deleteObject(payload), deleteObject(payload, later));
  }
}
