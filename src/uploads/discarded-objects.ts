import { type BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { logger } from '../common/logging/logger.js';
import { Database } from '../database/database.js';
import type { UploadSession } from '../database/entities/upload-session.entity.js';
import { JobQueue } from '../jobs/job-queue.js';
import { deleteObject } from '../storage/delete-object.js';
import { originalKey } from '../storage/object-key.js';
import { deleteUploads, LATE_WRITE_SECONDS } from './delete-uploads.job.js';
import { UploadSessionsRepository } from './upload-sessions.repository.js';

/** The uploads of all sessions that end within this time are deleted by one job. */
const GATHERING_MS = 2_000;

/** Has the objects deleted that sessions leave behind. */
@Injectable()
export class DiscardedObjects implements BeforeApplicationShutdown {
  private gathering: NodeJS.Timeout | null = null;

  constructor(
    private readonly database: Database,
    private readonly sessions: UploadSessionsRepository,
    private readonly queue: JobQueue,
  ) {}

  async endSession(
    manager: EntityManager,
    session: UploadSession,
    change: Parameters<UploadSessionsRepository['end']>[1],
  ): Promise<void> {
    await this.sessions.end(session, change, manager);
    this.deleteUploadsSoon();
  }

  /** Instead of when the job is next scheduled, which also covers a crash and a commit that takes longer. */
  deleteUploadsSoon(): void {
    this.gathering ??= setTimeout(() => {
      this.gathering = null;
      this.queue
        .add(this.database.manager, deleteUploads())
        .catch((error: unknown) => logger.debug({ err: error }, 'could not queue the deletion of uploads'));
    }, GATHERING_MS).unref();
  }

  beforeApplicationShutdown(): void {
    if (this.gathering) clearTimeout(this.gathering);
  }

  /** Twice, because the store may still complete the copy that we no longer wait for. */
  async discardAttempt(manager: EntityManager, session: UploadSession): Promise<void> {
    // A lease that ended long ago means a restored backup: the copy may be an asset by now, so the reconciliation decides.
    if (session.attempt === null || session.isLongAbandoned) return;
    const payload = { key: originalKey(session.clientId, session.assetId, session.attempt) };
    const later = { delaySeconds: LATE_WRITE_SECONDS };
    await this.queue.add(manager, deleteObject(payload), deleteObject(payload, later));
  }
}
