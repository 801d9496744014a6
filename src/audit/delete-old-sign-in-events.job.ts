import { Injectable } from '@nestjs/common';
import { firstIdAt } from '../common/ids.js';
import { inBatches } from '../jobs/in-batches.js';
import { Job, type JobHandler } from '../jobs/job.js';
import { AuditRepository } from './audit.repository.js';

const BATCH = 1_000;
const RETENTION_DAYS = 180;

/** Deletes the events of sign-ins, which contain addresses of people and which strangers can cause. All others stay. */
@Injectable()
@Job('delete-old-sign-in-events', { cron: '23 * * * *' })
export class DeleteOldSignInEventsJob implements JobHandler {
  constructor(private readonly repository: AuditRepository) {}

  async run(_payload: unknown, signal: AbortSignal): Promise<void> {
    const actions = (await this.repository.findActions()).filter((action) => action.startsWith('sign_in.'));
    const before = firstIdAt(Date.now() - RETENTION_DAYS * 86_400_000);
    await inBatches(BATCH, (size) => this.repository.deleteBefore(before, actions, size), signal);
  }
}
