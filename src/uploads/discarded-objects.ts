import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { UploadSession } from '../database/entities/upload-session.entity.js';
import { JobQueue } from '../jobs/job-queue.js';
import { originalKey, uploadKey } from '../storage/object-key.js';
import { DELETE_OBJECT, type DeleteObject } from '../sweeper/delete-object.job.js';

/** A PUT that began before its URL expired may end after it; a copy that was given up may still be made. */
const LATE_WRITE_MS = 60 * 60_000;
/** The worker takes sessions back within a minute after their lease has run out. */
const LONG_ABANDONED_MS = 60 * 60_000;

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
    await this.deleteNowAndAfter(manager, payload, session.urlExpiresAt.getTime() + LATE_WRITE_MS);
  }

  /** Twice: the store may still be making the copy that we no longer wait for. */
  async discardAttempt(manager: EntityManager, session: UploadSession): Promise<void> {
    if (session.attempt === null) return;
    // As after restoring a backup: the copy may have become an asset since. Reconciliation decides.
    if (session.leaseUntil !== null && Date.now() - session.leaseUntil.getTime() > LONG_ABANDONED_MS) return;
    const payload = { key: originalKey(session.clientId, session.assetId, session.attempt) };
    await this.deleteNowAndAfter(manager, payload, Date.now() + LATE_WRITE_MS);
  }

  private async deleteNowAndAfter(
    manager: EntityManager,
    payload: DeleteObject,
    time: number,
  ): Promise<void> {
    const name = DELETE_OBJECT;
    await this.queue.add(manager, { name, payload }, { name, payload, runAt: new Date(time) });
  }
}
