import { Injectable } from '@nestjs/common';
import { inBatches } from '../jobs/in-batches.js';
import { Job, type JobHandler } from '../jobs/job.js';
import { ArchiveLinksRepository } from './archive-links.repository.js';

const BATCH = 1_000;

@Injectable()
@Job('delete-old-archive-links', { cron: '23 * * * *' })
export class DeleteOldArchiveLinksJob implements JobHandler {
  constructor(private readonly links: ArchiveLinksRepository) {}

  async run(_payload: unknown, signal: AbortSignal): Promise<void> {
    await inBatches(BATCH, (size) => this.links.deleteOld(size), signal);
  }
}
