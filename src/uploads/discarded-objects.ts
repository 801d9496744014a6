import { type BeforeApplicationShutdown, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { logger } from '../common/logging/logger.js';
import type { Config } from '../config/config.js';
import { InjectConfig } from '../config/config.token.js';
import type { UploadSession } from '../database/entities/upload-session.entity.js';
import { JobQueue } from '../jobs/job-queue.js';
import { deleteObject } from '../storage/delete-object.js';
import { originalKey } from '../storage/object-key.js';
import { DeleteUploadsJob, LATE_WRITE_SECONDS } from './delete-uploads.job.js';
import { UploadSessionsRepository } from './upload-sessions.repository.js';

/** The uploads of all sessions that end within this time are deleted together. */
const GATHERING_MS = 2_000;

/** Arranges the deletion of the objects that sessions leave behind. */
@Injectable()
export class DiscardedObjects implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private gathering: NodeJS.Timeout | null = null;
  private deleting = Promise.resolve();
  private readonly stopping = new AbortController();

  constructor(
    private readonly sessions: UploadSessionsRepository,
    private readonly uploads: DeleteUploadsJob,
    private readonly queue: JobQueue,
    @InjectConfig() private readonly config: Config,
  ) {}

  /** For the uploads that an earlier process left. */
  onApplicationBootstrap(): void {
    this.deleteUploadsSoon();
  }

  async endSession(
    manager: EntityManager,
    session: UploadSession,
    change: Parameters<UploadSessionsRepository['end']>[1],
  ): Promise<void> {
    await this.sessions.end(session, change, manager);
    this.deleteUploadsSoon();
  }

  /** Without waiting for the next scheduled run, which covers a crash, a slow commit, and processes without background work. */
  deleteUploadsSoon(): void {
    const { signal } = this.stopping;
    if (this.config.worker === 'off' || signal.aborted) return;
    this.gathering ??= setTimeout(() => {
      this.gathering = null;
      this.deleting = this.deleting
        .then(() => this.uploads.run(null, signal))
        .catch((error: unknown) =>
          logger.info({ err: error }, 'could not delete uploads, leaving them to the job'),
        );
    }, GATHERING_MS).unref();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopping.abort();
    if (this.gathering) clearTimeout(this.gathering);
    await this.deleting;
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
