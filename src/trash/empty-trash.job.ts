import { Injectable } from '@nestjs/common';
import { AuditService } from '../audit/audit.service.js';
import type { Config } from '../config/config.js';
import { InjectConfig } from '../config/config.token.js';
import { Database } from '../database/database.js';
import { inBatches } from '../jobs/in-batches.js';
import { JobQueue } from '../jobs/job-queue.js';
import { Job, type JobHandler } from '../jobs/job.js';
import { purgeTrashOf } from './purge-trash.job.js';
import { TrashBatchesRepository } from '../trash-batches/trash-batches.repository.js';

const PAGE = 1_000;

/** Purges what has been in the trash for longer than the retention period, and retries failed purges. */
@Injectable()
@Job('empty-trash', { cron: '7 * * * *' })
export class EmptyTrashJob implements JobHandler {
  constructor(
    private readonly database: Database,
    private readonly trash: TrashBatchesRepository,
    private readonly queue: JobQueue,
    private readonly audit: AuditService,
    @InjectConfig() private readonly config: Config,
  ) {}

  async run(_payload: unknown, signal: AbortSignal): Promise<void> {
    await inBatches(PAGE, (size) => this.expire(size), signal);
    for (const clientId of await this.trash.findClientsPurging()) {
      signal.throwIfAborted();
      await this.queue.add(this.database.manager, purgeTrashOf(clientId));
    }
  }

  private expire(size: number): Promise<number> {
    return this.database.transaction(async (manager) => {
      const expired = await this.trash.markExpired(this.config.trashRetentionSeconds, size, manager);
      await this.audit.recordAll(
        manager,
        expired.map(({ id, clientId, name, folders, assets, trashedAt, trashedBy }) => ({
          actor: null,
          clientId,
          action: 'trash.purge',
          subject: ['trash_batch', id],
          before: { name, folders, assets, trashedAt, trashedBy },
        })),
      );
      return expired.length;
    });
  }
}
