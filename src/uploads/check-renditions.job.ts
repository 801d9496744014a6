import { Injectable } from '@nestjs/common';
import { Database } from '../database/database.js';
import { inBatches } from '../jobs/in-batches.js';
import { JobQueue } from '../jobs/job-queue.js';
import { Job, type JobHandler } from '../jobs/job.js';
import { makeRenditionsOf } from '../preview/make-renditions.job.js';
import { EAGER } from '../preview/rendition.rules.js';
import { RenditionsRepository } from '../preview/renditions.repository.js';
import { UploadSessionsRepository } from './upload-sessions.repository.js';

const BATCH = 1_000;
/** After the jobs that someone may be waiting for. */
const PRIORITY = 1_000;

/** Queues the renditions that the process that finalized an upload has not made, because of a crash, an outage or full memory. */
@Injectable()
@Job('check-renditions', { cron: '* * * * *' })
export class CheckRenditionsJob implements JobHandler {
  constructor(
    private readonly database: Database,
    private readonly sessions: UploadSessionsRepository,
    private readonly renditions: RenditionsRepository,
    private readonly queue: JobQueue,
  ) {}

  async run(_payload: unknown, signal: AbortSignal): Promise<void> {
    await inBatches(BATCH, (size) => this.check(size), signal);
  }

  private check(take: number): Promise<number> {
    const names = EAGER.map(({ name }) => name);
    return this.database.transaction(async (manager) => {
      const due = await this.sessions.takeRenditionChecks(take, manager);
      const incomplete = await this.renditions.findIncomplete(due, names, manager);
      const jobs = incomplete.map(({ clientId, assetId }) => makeRenditionsOf(clientId, assetId, PRIORITY));
      if (jobs.length > 0) await this.queue.add(manager, ...jobs);
      return due.length;
    });
  }
}
