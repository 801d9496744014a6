import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { ClientScope } from '../access/principal.js';
import type { ProblemCode } from '../common/errors/catalogue.js';
import { Problem } from '../common/errors/problem.js';
import { newId } from '../common/ids.js';
import { holdLease, type Lease } from '../common/lease.js';
import { logger } from '../common/logging/logger.js';
import type { Config } from '../config/config.js';
import { InjectConfig } from '../config/config.token.js';
import { Database } from '../database/database.js';
import type { UploadSession } from '../database/entities/upload-session.entity.js';
import { decodedLater, DECODE_PAUSE_SECONDS, MAX_DECODER_KILLS } from '../media/media-problem.js';
import { DecoderKilledError } from '../media/media.types.js';
import { DiscardedObjects } from './discarded-objects.js';
import { isSupported, SUPPORTED_TYPES } from '../media/file-types.js';
import { countsAsAttempt } from './upload.rules.js';
import { UploadSessionsRepository } from './upload-sessions.repository.js';

/** A session that this process finalizes until `release`. */
export interface HeldSession extends Lease {
  readonly session: UploadSession & { attempt: string };
}

/** The file itself is invalid, so retrying cannot succeed. */
const REJECTING: readonly ProblemCode[] = ['unsupported_media_type', 'content_mismatch', 'media_invalid'];

/** Manages the lease for finalizing a session and records the outcome. No connection is held while the store works. */
@Injectable()
export class FinalizeLease {
  private readonly leaseSeconds: number;
  private readonly maxAttempts: number;

  constructor(
    private readonly database: Database,
    private readonly sessions: UploadSessionsRepository,
    private readonly discarded: DiscardedObjects,
    @InjectConfig() config: Config,
  ) {
    this.leaseSeconds = config.uploads.leaseSeconds;
    this.maxAttempts = config.uploads.maxAttempts;
  }

  /** Takes the lease of an open session in one statement. Null in any other state: then `take` determines it. */
  async takeOpen(scope: ClientScope, tokenHash: Buffer): Promise<HeldSession | null> {
    const lease = { attempt: newId(), seconds: this.leaseSeconds, mimeTypes: SUPPORTED_TYPES };
    const session = await this.sessions.takeOpen(scope, tokenHash, lease);
    return session && this.hold(session);
  }

  /** Takes the lease and records the key of the copy before the copy exists. Null if someone else holds it. */
  async take(scope: ClientScope, sessionId: string): Promise<HeldSession | null> {
    const outcome = await this.database.transaction(async (manager) => {
      const session = await this.sessions.lock(scope, sessionId, manager);
      if (session === null) return new Problem('upload_session_not_found');
      // Finalized in the meantime: the caller reloads the session.
      if (session.status === 'finalized') return null;
      const refusal = await this.refuse(manager, session);
      if (refusal) return refusal;
      if (session.isLeased) return null;
      // The last holder is gone and left a copy behind.
      await this.discarded.discardAttempt(manager, session);
      const attempt = newId();
      await this.sessions.takeLease(session, session.id, attempt, this.leaseSeconds, manager);
      return { ...session, status: 'finalizing' as const, attempt };
    });
    // Thrown outside, so that the state change is committed.
    if (outcome instanceof Problem) throw outcome;
    return outcome === null ? null : this.hold(outcome);
  }

  /** Runs the last transaction of a finalize: only the holder of the attempt can complete it, and only once. */
  async commit<T>({ session }: HeldSession, work: (manager: EntityManager) => Promise<T>): Promise<T> {
    const result = await this.database.transaction(async (manager) => {
      // Also locks the session until the transaction ends.
      if (!(await this.sessions.finish(session, manager))) throw takenOver();
      return work(manager);
    });
    this.discarded.deleteUploadsSoon();
    return result;
  }

  /**
   * After a failure: back to `pending`, or `rejected` if the file itself is invalid. The deletion of the copy is queued in the same
   * transaction. If even that fails, or the outcome of the commit is unknown, the lease expires and the next attempt reads the state from
   * the session.
   */
  async releaseAfterFailure({ session }: HeldSession, error: unknown): Promise<void> {
    try {
      await this.database.transaction(async (manager) => {
        const current = await this.sessions.lock(session, session.id, manager);
        if (current?.status !== 'finalizing' || current.attempt !== session.attempt) return;
        if (error instanceof Problem && error.cause instanceof DecoderKilledError)
          await this.sessions.countDecoderKill(current, MAX_DECODER_KILLS, DECODE_PAUSE_SECONDS, manager);
        const failedAttempts = current.failedAttempts + (countsAsAttempt(error) ? 1 : 0);
        await this.close(manager, { ...current, failedAttempts }, this.rejectionBy(error, failedAttempts));
      });
    } catch (failure) {
      logger.warn(
        { err: failure, sessionId: session.id },
        'could not release the session; its lease will expire',
      );
    }
  }

  private rejectionBy(error: unknown, failedAttempts: number): Problem | null {
    if (error instanceof Problem && REJECTING.includes(error.code)) return error;
    if (failedAttempts < this.maxAttempts) return null;
    const detail = `Finalizing failed ${failedAttempts} times. Open a new upload session.`;
    return new Problem('too_many_attempts', detail);
  }

  /** For sessions whose holder is gone or that have expired; runs in the background. */
  async expire(clientId: string, sessionId: string): Promise<void> {
    await this.database.transaction(async (manager) => {
      const session = await this.sessions.lock({ clientId }, sessionId, manager);
      if (session === null) return;
      if (session.status === 'finalizing' && !session.isLeased) {
        await this.close(manager, session, null);
      } else if (session.status === 'pending' && session.isOverdue) {
        await this.discarded.endSession(manager, session, { status: 'expired' });
      }
    });
  }

  private async close(
    manager: EntityManager,
    session: UploadSession,
    rejected: Problem | null,
  ): Promise<void> {
    await this.discarded.discardAttempt(manager, session);
    const released = { attempt: null, leaseUntil: null, failedAttempts: session.failedAttempts };
    if (rejected === null)
      return this.sessions.update(session, session.id, { ...released, status: 'pending' }, manager);
    await this.discarded.endSession(manager, session, {
      ...released,
      status: 'rejected',
      rejectedCode: rejected.code,
      rejectedDetail: rejected.detail ?? rejected.title,
    });
  }

  /** In the order of the API contract (section 4). */
  private async refuse(manager: EntityManager, session: UploadSession): Promise<Problem | null> {
    if (session.status === 'rejected' || session.status === 'cancelled') {
      const reason = session.rejectedDetail ?? 'The session was cancelled.';
      return new Problem('upload_session_closed', reason, {
        extra: { reason: { code: session.rejectedCode ?? 'cancelled', detail: reason } },
      });
    }
    if (session.status === 'expired' || (!session.isLeased && session.isOverdue)) {
      if (session.status !== 'expired') {
        await this.discarded.discardAttempt(manager, session);
        const expired = { status: 'expired', attempt: null, leaseUntil: null } as const;
        await this.discarded.endSession(manager, session, expired);
      }
      return new Problem('upload_session_expired');
    }
    if (!session.isLeased && !isSupported(session.mimeType)) {
      const problem = new Problem(
        'unsupported_media_type',
        `${session.mimeType} is not supported. Use JPEG, PNG, WebP, HEIC or MP4.`,
      );
      await this.close(manager, session, problem);
      return problem;
    }
    const seconds = session.isLeased ? null : session.secondsUntilDecode;
    return seconds !== null && seconds > 0 ? decodedLater(session.decoderKills, seconds) : null;
  }

  private hold(session: UploadSession): HeldSession {
    const renew = () => this.sessions.renewLease(session, session.id, session.attempt!, this.leaseSeconds);
    const lease = holdLease(this.leaseSeconds, renew, takenOver());
    return { session: session as HeldSession['session'], ...lease };
  }
}

function takenOver(): Problem {
  return new Problem('finalize_in_progress', 'This request no longer finalizes the upload.', {
    retryAfter: 2,
  });
}
