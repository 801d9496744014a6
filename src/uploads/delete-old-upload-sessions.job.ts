import { Injectable } from '@nestjs/common';
import { logger } from '../common/logging/logger.js';
import { inBatches } from '../jobs/in-batches.js';
import { Job, type JobHandler } from '../jobs/job.js';
import { UploadSessionsRepository } from './upload-sessions.repository.js';

const BATCH = 1_000;
/** Until then, repeating a finalize returns its asset. */
const RETENTION_SECONDS = 30 * 86_400;

/** Deletes upload sessions that ended long ago. Their assets stay. */
@Injectable()
@Job('delete-old-upload-sessions', { cron: '29 * * * *' })
export class DeleteOldUploadSessionsJob implements JobHandler {
  constructor(private readonly sessions: UploadSessionsRepository) {}

  async run(_payload: unknown, signal: AbortSignal): Promise<void> {
    const deleted = await inBatches(
      BATCH,
      (size) => this.sessions.deleteEnded(RETENTION_SECONDS, size),
      signal,
    );
    if (deleted > 0) logger.info({ deleted }, 'deleted old upload sessions');
  }
}
