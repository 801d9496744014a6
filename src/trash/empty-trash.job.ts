import { Injectable } from '@nestjs/common';
import type { Config } from '../config/config.js';
import { InjectConfig } from '../config/config.token.js';
import { Database } from '../database/database.js';
import { JobQueue } from '../jobs/job-queue.js';
import { Job, type JobHandler } from '../jobs/job.js';
import { PURGE_BATCH } from './purge-batch.job.js';
import { TrashRepository } from './trash.repository.js';

const PAGE = 100;

/** Purges what has been in the trash for longer than the retention. */
@Injectable()
@Job('empty-trash', { cron: '7 * * * *' })
export class EmptyTrashJob implements JobHandler {
  constructor(
    private readonly database: Database,
    private readonly trash: TrashRepository,
    private readonly queue: JobQueue,
    @InjectConfig() private readonly config: Config,
  ) {}

  async run(_payload: unknown, signal: AbortSignal): Promise<void> {
    const before = new Date(Date.now() - this.config.trashRetentionSeconds * 1000);
    for (;;) {
      signal.throwIfAborted();
      const expired = await this.trash.findExpired(before, PAGE);
      for (const { id, clientId } of expired) {
        await this.database.transaction(async (manager) => {
          const marked = await this.trash.markPurging(manager, clientId, id);
          for (const batchId of marked)
            await this.queue.add(manager, { name: PURGE_BATCH, payload: { batchId } });
        });
      }
      if (expired.length < PAGE) return;
    }
  }
}
