import { Injectable } from '@nestjs/common';
import { logger } from '../common/logging/logger.js';
import { inBatches } from '../jobs/in-batches.js';
import type { QueuedJob } from '../jobs/job-queue.js';
import { Job, type JobHandler } from '../jobs/job.js';
import { DELETION_PRIORITY } from '../storage/delete-object.js';
import { Installation } from '../storage/installation.js';
import { uploadKey } from '../storage/object-key.js';
import { StorageService } from '../storage/storage.service.js';
import { type DueUpload, UploadSessionsRepository } from './upload-sessions.repository.js';

const DELETE_UPLOADS = 'delete-uploads';
/** As many as the store deletes in one request. */
const BATCH = 1_000;
const RETRY_SECONDS = 600;

/** A PUT that began before its URL expired may end later, and an abandoned copy may still complete. */
export const LATE_WRITE_SECONDS = 60 * 60;

/** One job for all processes: queuing it again while it waits changes nothing. */
export function deleteUploads(): QueuedJob {
  const name = DELETE_UPLOADS;
  return { name, payload: {}, key: name, queue: name, priority: DELETION_PRIORITY };
}

/**
 * Deletes the uploads of ended sessions: soon, and once more later, because anyone who has the URL can write to the key again until it
 * expires.
 */
@Injectable()
@Job(DELETE_UPLOADS, { cron: '* * * * *' })
export class DeleteUploadsJob implements JobHandler {
  constructor(
    private readonly sessions: UploadSessionsRepository,
    private readonly storage: StorageService,
    private readonly installation: Installation,
  ) {}

  async run(_payload: unknown, signal: AbortSignal): Promise<void> {
    await inBatches(BATCH, (size) => this.deleteDue(size, signal), signal);
  }

  /** Returns how many were due. */
  private async deleteDue(take: number, signal: AbortSignal): Promise<number> {
    const due = await this.sessions.findDueUploads(take);
    if (due.length === 0) return 0;
    if (await this.installation.bucketIsOthers()) {
      logger.warn({ uploads: due.length }, 'bucket belongs to another installation, not deleting uploads');
      return 0;
    }
    const refused = await this.delete(due, signal);
    const ids = due.map(({ id }) => id);
    const deleted = ids.filter((id) => !refused.has(id));
    await this.sessions.setUploadsDeleted(deleted, due[0]!.foundAt, LATE_WRITE_SECONDS);
    if (refused.size > 0) {
      logger.warn({ uploads: refused.size }, 'the store failed to delete uploads, trying again later');
      await this.sessions.postponeUploadDeletion([...refused], RETRY_SECONDS);
    }
    return due.length;
  }

  /** Returns the ids of the sessions whose upload the store failed to delete. */
  private async delete(due: readonly DueUpload[], signal: AbortSignal): Promise<Set<string>> {
    const idOf = new Map(due.map(({ id, clientId }) => [uploadKey(clientId, id), id]));
    const refused = await this.storage.deleteMany([...idOf.keys()]);
    const ids = new Set(refused.map(({ key }) => idOf.get(key)!));
    for (const { id, clientId, multipartUploadId } of due) {
      if (multipartUploadId === null) continue;
      signal.throwIfAborted();
      await this.storage.multipart.abort(uploadKey(clientId, id), multipartUploadId).catch(() => ids.add(id));
    }
    return ids;
  }
}
