import { Injectable } from '@nestjs/common';
import { Problem } from '../common/errors/problem.js';
import { logger } from '../common/logging/logger.js';
import { inBatches } from '../jobs/in-batches.js';
import { Job, type JobHandler } from '../jobs/job.js';
import { BucketControl } from '../storage/bucket-control.js';
import { uploadKey } from '../storage/object-key.js';
import { StorageService } from '../storage/storage.service.js';
import { type DueUpload, UploadSessionsRepository } from './upload-sessions.repository.js';

/** As many as the store deletes in one request. */
const BATCH = 1_000;
/** After the store did not respond, or failed to delete an upload. */
const RETRY_SECONDS = { outage: 60, refusal: 600 };
/** Each may take as long as the store's timeout. */
const MAX_FAILED_ABORTS = 3;

/** A PUT that began before its URL expired may end later, and an abandoned copy may still complete. */
export const LATE_WRITE_SECONDS = 60 * 60;

/**
 * Deletes the uploads of ended sessions: soon, and once more later, because anyone who has the URL can write to the key again until it
 * expires.
 */
@Injectable()
@Job('delete-uploads', { cron: '* * * * *' })
export class DeleteUploadsJob implements JobHandler {
  constructor(
    private readonly sessions: UploadSessionsRepository,
    private readonly storage: StorageService,
    private readonly control: BucketControl,
  ) {}

  async run(_payload: unknown, signal: AbortSignal): Promise<void> {
    await inBatches(BATCH, (size) => this.deleteDue(size, signal), signal);
  }

  /**
   * Returns how many were due. Those that the store fails to delete are due again later, so that they never hold up the others; nothing is
   * thrown, because the schedule is the retry.
   */
  private async deleteDue(take: number, signal: AbortSignal): Promise<number> {
    const due = await this.sessions.findDueUploads(take);
    if (due.length === 0) return 0;
    const ids = due.map(({ id }) => id);
    try {
      // They stay due.
      if (!(await this.control.mayDelete())) return 0;
      const refused = await this.delete(due, signal);
      const deleted = ids.filter((id) => !refused.has(id));
      await this.sessions.setUploadsDeleted(deleted, due[0]!.foundAt, LATE_WRITE_SECONDS);
      if (refused.size > 0) await this.sessions.postponeUploadDeletion([...refused], RETRY_SECONDS.refusal);
      return due.length;
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      logger.warn({ err: error, uploads: ids.length }, 'could not delete uploads, trying again later');
      await this.sessions.postponeUploadDeletion(ids, RETRY_SECONDS.outage);
      return 0;
    }
  }

  /** Returns the ids of the sessions whose upload the store failed to delete. */
  private async delete(due: readonly DueUpload[], signal: AbortSignal): Promise<Set<string>> {
    const refused = await this.abortMultiparts(due, signal);
    const idOf = new Map(due.map(({ id, clientId }) => [uploadKey(clientId, id), id]));
    for (const { key, code } of await this.storage.deleteMany([...idOf.keys()])) {
      logger.warn({ key, code }, 'the store failed to delete an upload, trying again later');
      refused.add(idOf.get(key)!);
    }
    return refused;
  }

  private async abortMultiparts(due: readonly DueUpload[], signal: AbortSignal): Promise<Set<string>> {
    const failed = new Set<string>();
    for (const { id, clientId, multipartUploadId } of due) {
      if (multipartUploadId === null) continue;
      signal.throwIfAborted();
      const key = uploadKey(clientId, id);
      if (failed.size < MAX_FAILED_ABORTS) {
        await this.storage.multipart.abort(key, multipartUploadId).catch((error: unknown) => {
          logger.warn({ err: error, key }, 'the store failed to end a multipart upload, trying again later');
          failed.add(id);
        });
      } else failed.add(id);
    }
    return failed;
  }
}
