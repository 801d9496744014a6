import { Injectable } from '@nestjs/common';
import { Database } from '../database/database.js';
import { inBatches } from '../jobs/in-batches.js';
import { Job, type JobHandler } from '../jobs/job.js';
import { FirstRenditions } from '../preview/first-renditions.js';
import { UploadSessionsRepository } from './upload-sessions.repository.js';

const BATCH = 1_000;

/** Queues a job for each upload whose first renditions are still missing after a crash, an outage or full memory. */
@Injectable()
@Job('check-renditions', { cron: '* * * * *' })
export class CheckRenditionsJob implements JobHandler {
  constructor(
    private readonly database: Database,
    private readonly sessions: UploadSessionsRepository,
    private readonly firstRenditions: FirstRenditions,
  ) {}

  async run(_payload: unknown, signal: AbortSignal): Promise<void> {
    await inBatches(BATCH, (size) => this.check(size), signal);
  }

  private check(take: number): Promise<number> {
    return this.database.transaction(async (manager) => {
      const due = await this.sessions.takeRenditionChecks(take, manager);
      await this.firstRenditions.queueMissing(due, manager);
      return due.length;
    });
  }
}
