import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { UploadSession } from '../database/entities/upload-session.entity.js';
import { JobQueue } from '../jobs/job-queue.js';
import { originalKey, uploadKey } from '../storage/object-key.js';
import { DELETE_OBJECT } from '../sweeper/delete-object.job.js';

/** A PUT that began before its URL expired may end after it. */
const LATE_PUT_MS = 60 * 60_000;

/** Queues the deletion of bytes that a session leaves behind, in the transaction that makes them superfluous. */
@Injectable()
export class DiscardedObjects {
  constructor(private readonly queue: JobQueue) {}

  /** Twice: whoever still holds the URL can write to the key again until it expires. */
  async discardUpload(manager: EntityManager, session: UploadSession): Promise<void> {
    const key = uploadKey(session.clientId, session.id);
    const payload = {
      key,
      ...(session.multipartUploadId ? { multipartUploadId: session.multipartUploadId } : {}),
    };
    await this.queue.add(manager, DELETE_OBJECT, payload);
    await this.queue.add(manager, DELETE_OBJECT, payload, {
      runAt: new Date(session.urlExpiresAt.getTime() + LATE_PUT_MS),
    });
  }

  async discardAttempt(manager: EntityManager, session: UploadSession): Promise<void> {
    if (session.attempt === null) return;
    await this.queue.add(manager, DELETE_OBJECT, {
      key: originalKey(session.clientId, session.assetId, session.attempt),
    });
  }
}
