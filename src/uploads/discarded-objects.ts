import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { UploadSession } from '../database/entities/upload-session.entity.js';
import { type Enqueue, JobQueue, type QueuedJob } from '../jobs/job-queue.js';
import { originalKey, uploadKey } from '../storage/object-key.js';
import { deleteObject, type DeleteObject } from '../storage/delete-object.js';

/** A PUT that began before its URL expired may end later, and an abandoned copy may still complete. */
const LATE_WRITE_SECONDS = 60 * 60;

/** Queues the deletion of objects that a session leaves behind, in the transaction that makes them obsolete. */
@Injectable()
export class DiscardedObjects {
  constructor(private readonly queue: JobQueue) {}

  async discardUpload(manager: EntityManager, session: UploadSession): Promise<void> {
    await this.queue.add(manager, ...discardUploadJobs(session));
  }

  /** Twice, because the store may still complete the copy that we no longer wait for. */
  async discardAttempt(manager: EntityManager, session: UploadSession): Promise<void> {
    // A lease that ended long ago means a restored backup: the copy may be an asset by now, so the reconciliation decides.
    if (session.attempt === null || session.isLongAbandoned) return;
    const payload = { key: originalKey(session.clientId, session.assetId, session.attempt) };
    await this.queue.add(manager, ...deleteNowAndLater(payload, { delaySeconds: LATE_WRITE_SECONDS }));
  }
}

/** Twice, because anyone who has the URL can write to the key again until it expires. */
export function discardUploadJobs(session: UploadSession): QueuedJob[] {
  const payload = {
    key: uploadKey(session.clientId, session.id),
    ...(session.multipartUploadId ? { multipartUploadId: session.multipartUploadId } : {}),
  };
  const runAt = new Date(session.urlExpiresAt.getTime() + LATE_WRITE_SECONDS * 1000);
  return deleteNowAndLater(payload, { runAt });
}

function deleteNowAndLater(payload: DeleteObject, later: Enqueue): QueuedJob[] {
  return [deleteObject(payload), deleteObject(payload, later)];
}
