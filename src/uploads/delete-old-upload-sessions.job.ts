import { Injectable } from '@nestjs/common';
import { logger } from '../common/logging/logger.js';
import type { Config } from '../config/config.js';
import { InjectConfig } from '../config/config.token.js';
import { inBatches } from '../jobs/in-batches.js';
import { Job, type JobHandler } from '../jobs/job.js';
import { UploadSessionsRepository } from './upload-sessions.repository.js';

const BATCH = 1_000;

/** Deletes upload sessions that ended long ago. Their assets stay. */
@Injectable()
@Job('delete-old-upload-sessions', { cron: '29 * * * *' })
export class DeleteOldUploadSessionsJob implements JobHandler {
  constructor(
    private readonly sessions: UploadSessionsRepository,
    @InjectConfig() private readonly config: Config,
  ) {}

  async run(_payload: unknown, signal: AbortSignal): Promise<void> {
    const { retentionSeconds } = this.config.uploads;
    const deleted = await inBatches(
      BATCH,
      (size) => this.sessions.deleteEnded(retentionSeconds, size),
      signal,
    );
    if (deleted > 0) logger.info({ deleted }, 'deleted old upload sessions');
  }
}
