import { Injectable } from '@nestjs/common';
import { logger } from '../common/logging/logger.js';
import type { Config } from '../config/config.js';
import { InjectConfig } from '../config/config.token.js';
import { Job, type JobHandler } from '../jobs/job.js';
import { UploadSessionsRepository } from './upload-sessions.repository.js';

const BATCH = 1_000;

/** Deletes upload sessions that ended long ago. Their assets stay. */
@Injectable()
@Job('forget-upload-sessions', { cron: '29 * * * *' })
export class DeleteOldUploadSessionsJob implements JobHandler {
  constructor(
    private readonly sessions: UploadSessionsRepository,
    @InjectConfig() private readonly config: Config,
  ) {}

  async run(_payload: unknown, signal: AbortSignal): Promise<void> {
    let deleted = 0;
    for (let batch = BATCH; batch === BATCH; deleted += batch) {
      signal.throwIfAborted();
      batch = await this.sessions.deleteEnded(this.config.uploads.retentionSeconds, BATCH);
    }
    if (deleted > 0) logger.info({ deleted }, 'deleted old upload sessions');
  }
}
