import { Injectable } from '@nestjs/common';
import { logger } from '../common/logging/logger.js';
import { Job, type JobHandler } from '../jobs/job.js';
import { FinalizeLease } from './finalize-lease.js';
import { UploadSessionsRepository } from './upload-sessions.repository.js';

const PAGE = 100;

/** Ends expired sessions, and resets those whose lease holder is gone. */
@Injectable()
@Job('expire-sessions', { cron: '* * * * *' })
export class ExpireSessionsJob implements JobHandler {
  constructor(
    private readonly sessions: UploadSessionsRepository,
    private readonly lease: FinalizeLease,
  ) {}

  async run(_payload: unknown, signal: AbortSignal): Promise<void> {
    let handled = 0;
    for (;;) {
      const overdue = await this.sessions.findOverdue(PAGE);
      for (const { id, clientId } of overdue) {
        signal.throwIfAborted();
        await this.lease.expire(clientId, id);
      }
      handled += overdue.length;
      if (overdue.length === 0) break;
    }
    if (handled > 0) logger.info({ handled }, 'handled expired upload sessions');
  }
}
