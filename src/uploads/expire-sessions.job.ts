import { Injectable } from '@nestjs/common';
import { logger } from '../common/logging/logger.js';
import { inBatches } from '../jobs/in-batches.js';
import { Job, type JobHandler } from '../jobs/job.js';
import { FinalizeLease } from './finalize-lease.js';
import { UploadSessionsRepository } from './upload-sessions.repository.js';

const PAGE = 100;
const DELETED_AT_ONCE = 1_000;
/** Until then, repeating a finalize returns its asset. */
const RETENTION_SECONDS = 30 * 86_400;

/** Ends expired sessions, resets those whose lease holder is gone, and deletes those that ended long ago. Their assets stay. */
@Injectable()
@Job('expire-sessions', { cron: '* * * * *' })
export class ExpireSessionsJob implements JobHandler {
  constructor(
    private readonly sessions: UploadSessionsRepository,
    private readonly lease: FinalizeLease,
  ) {}

  async run(_payload: unknown, signal: AbortSignal): Promise<void> {
    await this.endExpired(signal);
    await this.deleteOld(signal);
  }

  private async endExpired(signal: AbortSignal): Promise<void> {
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

  private async deleteOld(signal: AbortSignal): Promise<void> {
    const deleted = await inBatches(
      DELETED_AT_ONCE,
      (size) => this.sessions.deleteEnded(RETENTION_SECONDS, size),
      signal,
    );
    if (deleted > 0) logger.info({ deleted }, 'deleted old upload sessions');
  }
}
