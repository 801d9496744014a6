import { Injectable } from '@nestjs/common';
import { inBatches } from '../jobs/in-batches.js';
import { Job, type JobHandler } from '../jobs/job.js';
import { EventsRepository } from './events.repository.js';

const BATCH = 1_000;

/** Deletes changes that only event streams needed. Audit events stay. */
@Injectable()
@Job('delete-old-changes', { cron: '13 * * * *' })
export class DeleteOldChangesJob implements JobHandler {
  constructor(private readonly events: EventsRepository) {}

  async run(_payload: unknown, signal: AbortSignal): Promise<void> {
    await inBatches(BATCH, (size) => this.events.deleteOld(size), signal);
  }
}
