import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { ClientScope, InClient } from '../access/principal.js';
import { columnsOf } from '../database/columns.js';
import { Database } from '../database/database.js';
import { type EndedStatus, UploadSession } from '../database/entities/upload-session.entity.js';

export type NewUploadSession = Pick<
  UploadSession,
  | 'id'
  | 'clientId'
  | 'tokenHash'
  | 'assetId'
  | 'folderId'
  | 'originalFilename'
  | 'mimeType'
  | 'expectedSizeBytes'
  | 'sha256'
  | 'multipartUploadId'
  | 'partSizeBytes'
>;

/** The upload of an ended session that is due for deletion. */
export interface DueUpload extends Pick<UploadSession, 'id' | 'clientId' | 'multipartUploadId'> {
  /** When it was found, by the database's clock. */
  readonly foundAt: string;
}

export interface SessionLifetime {
  readonly urlSeconds: number;
  readonly sessionSeconds: number;
}

const COLUMNS = columnsOf(UploadSession);

type SessionRow = Omit<UploadSession, 'isLeased' | 'isOverdue' | 'isLongAbandoned' | 'secondsUntilDecode'>;

/** The usual case in one statement: an open session without a finalize in progress. */
const TAKE_OPEN = {
  name: 'take-open-session',
  text: `UPDATE upload_sessions SET status = 'finalizing', attempt = $3, lease_until = clock_timestamp() + make_interval(secs => $4)
          WHERE client_id = $1 AND token_hash = $2 AND status = 'pending' AND attempt IS NULL
            AND expires_at > clock_timestamp() AND coalesce(decode_after <= clock_timestamp(), true) AND mime_type = ANY($5)
          RETURNING ${COLUMNS}`,
};

@Injectable()
export class UploadSessionsRepository {
  constructor(private readonly database: Database) {}

  findById(scope: ClientScope, id: string): Promise<UploadSession | null> {
    return this.database.manager.findOneBy(UploadSession, { clientId: scope.clientId, id });
  }

  findByToken(scope: ClientScope, tokenHash: Buffer): Promise<UploadSession | null> {
    return this.database.manager.findOneBy(UploadSession, { clientId: scope.clientId, tokenHash });
  }

  lock({ clientId }: InClient, id: string, manager: EntityManager): Promise<UploadSession | null> {
    return manager.findOne(UploadSession, { where: { clientId, id }, lock: { mode: 'pessimistic_write' } });
  }

  /** Its times start now, by the database's clock. */
  async insert(
    session: NewUploadSession,
    lifetime: SessionLifetime,
    manager: EntityManager,
  ): Promise<UploadSession> {
    const rows = await manager.query<SessionRow[]>(
      `INSERT INTO upload_sessions (id, client_id, token_hash, status, asset_id, folder_id, original_filename, mime_type,
           expected_size_bytes, sha256, multipart_upload_id, part_size_bytes, url_expires_at, expires_at)
         VALUES ($1, $2, $3, 'pending', $4, $5, $6, $7, $8, $9, $10, $11, clock_timestamp() + make_interval(secs => $12),
           clock_timestamp() + make_interval(secs => $13))
         RETURNING ${COLUMNS}`,
      [
        session.id,
        session.clientId,
        session.tokenHash,
        session.assetId,
        session.folderId,
        session.originalFilename,
        session.mimeType,
        session.expectedSizeBytes,
        session.sha256,
        session.multipartUploadId,
        session.partSizeBytes,
        lifetime.urlSeconds,
        lifetime.sessionSeconds,
      ],
    );
    return toSession(rows[0]!);
  }

  async renewUrl(
    { clientId }: InClient,
    id: string,
    urlSeconds: number,
    manager: EntityManager,
  ): Promise<UploadSession> {
    await manager.update(UploadSession, { clientId, id }, { urlExpiresAt: secondsFromNow(urlSeconds) });
    return manager.findOneByOrFail(UploadSession, { clientId, id });
  }

  /** Null if the session is not simply open: the caller then checks its state. */
  async takeOpen(
    scope: ClientScope,
    tokenHash: Buffer,
    lease: { attempt: string; seconds: number; mimeTypes: readonly string[] },
  ): Promise<UploadSession | null> {
    const values = [scope.clientId, tokenHash, lease.attempt, lease.seconds, lease.mimeTypes];
    const [row] = await this.database.find<SessionRow>(TAKE_OPEN, values);
    return row ? toSession(row) : null;
  }

  /**
   * Only for the holder of the attempt, and only once. The attempt stays, because it is part of the key of the stored bytes.
   */
  async finish({ clientId, id, attempt }: UploadSession, manager: EntityManager): Promise<boolean> {
    const [, count] = await manager.query<[unknown, number]>(
      `UPDATE upload_sessions SET status = 'finalized', lease_until = NULL, delete_upload_at = clock_timestamp()
        WHERE client_id = $1 AND id = $2 AND status = 'finalizing' AND attempt = $3`,
      [clientId, id, attempt],
    );
    return count === 1;
  }

  async takeLease(
    { clientId }: InClient,
    id: string,
    attempt: string,
    seconds: number,
    manager: EntityManager,
  ): Promise<void> {
    const taken = { status: 'finalizing' as const, attempt, leaseUntil: secondsFromNow(seconds) };
    await manager.update(UploadSession, { clientId, id }, taken);
  }

  async update(
    { clientId }: InClient,
    id: string,
    change: Partial<UploadSession>,
    manager: EntityManager,
  ): Promise<void> {
    await manager.update(UploadSession, { clientId, id }, change);
  }

  /** From the `most`th time on, its file is decoded once in `pauseSeconds`, and the session does not expire before that. */
  async countDecoderKill(
    { clientId, id }: UploadSession,
    most: number,
    pauseSeconds: number,
    manager: EntityManager,
  ): Promise<void> {
    await manager.query(
      `UPDATE upload_sessions
          SET decoder_kills = decoder_kills + 1,
              decode_after = CASE WHEN decoder_kills + 1 >= $3 THEN clock_timestamp() + make_interval(secs => $4) END,
              expires_at = CASE WHEN decoder_kills + 1 >= $3
                THEN greatest(expires_at, clock_timestamp() + 2 * make_interval(secs => $4)) ELSE expires_at END
        WHERE client_id = $1 AND id = $2`,
      [clientId, id, most, pauseSeconds],
    );
  }

  /** From now on, its upload is due for deletion. */
  async end(
    { clientId, id }: UploadSession,
    change: { status: EndedStatus } & Partial<UploadSession>,
    manager: EntityManager,
  ): Promise<void> {
    await manager.update(UploadSession, { clientId, id }, { ...change, deleteUploadAt: secondsFromNow(0) });
  }

  /** Serializes the creation of sessions per client for the rest of the transaction, so that limits are exact. */
  async countOpen(
    { clientId }: InClient,
    manager: EntityManager,
  ): Promise<{ sessions: number; bytes: number }> {
    await manager.query(`SELECT pg_advisory_xact_lock(hashtextextended('open-sessions:' || $1, 0))`, [
      clientId,
    ]);
    const [row] = await manager.query<{ sessions: string; bytes: string }[]>(
      `SELECT count(*) AS sessions, coalesce(sum(expected_size_bytes), 0) AS bytes
         FROM upload_sessions WHERE client_id = $1 AND status IN ('pending', 'finalizing')`,
      [clientId],
    );
    return { sessions: Number(row!.sessions), bytes: Number(row!.bytes) };
  }

  /** False if someone else has taken over. */
  async renewLease({ clientId }: InClient, id: string, attempt: string, seconds: number): Promise<boolean> {
    const { affected } = await this.database.manager.update(
      UploadSession,
      { clientId, id, attempt, status: 'finalizing' },
      { leaseUntil: secondsFromNow(seconds) },
    );
    return affected === 1;
  }

  findDueUploads(take: number): Promise<DueUpload[]> {
    return this.database.manager.query(
      `SELECT id, client_id AS "clientId", multipart_upload_id AS "multipartUploadId", now()::text AS "foundAt"
         FROM upload_sessions WHERE delete_upload_at <= now() ORDER BY delete_upload_at LIMIT $1`,
      [take],
    );
  }

  /**
   * After deleting uploads that were found at the given time. They become due again if they could still be written at that time, until
   * `lateSeconds` after their URL expires.
   */
  async setUploadsDeleted(ids: readonly string[], foundAt: string, lateSeconds: number): Promise<void> {
    await this.database.manager.query(
      `UPDATE upload_sessions
          SET delete_upload_at = CASE WHEN url_expires_at + make_interval(secs => $3) > $2::timestamptz
                THEN url_expires_at + make_interval(secs => $3) END
        WHERE id = ANY($1::uuid[]) AND delete_upload_at <= $2::timestamptz`,
      [ids, foundAt, lateSeconds],
    );
  }

  /** For longer, the longer ago the session expired. */
  async postponeUploadDeletion(ids: readonly string[], seconds: number): Promise<void> {
    await this.database.manager.query(
      `UPDATE upload_sessions SET delete_upload_at = now() + greatest(make_interval(secs => $2), (now() - expires_at) / 4)
        WHERE id = ANY($1::uuid[]) AND delete_upload_at IS NOT NULL`,
      [ids, seconds],
    );
  }

  /** Deletes sessions that ended, or expired, before the given age, and whose upload is deleted. Returns their number. */
  async deleteEnded(olderThanSeconds: number, take: number): Promise<number> {
    const [, count] = await this.database.manager.query<[unknown, number]>(
      `DELETE FROM upload_sessions WHERE id IN (
         SELECT id FROM upload_sessions
          WHERE status IN ('finalized', 'rejected', 'cancelled', 'expired') AND expires_at < now() - make_interval(secs => $1)
            AND delete_upload_at IS NULL
          ORDER BY expires_at LIMIT $2 FOR UPDATE SKIP LOCKED)`,
      [olderThanSeconds, take],
    );
    return count;
  }

  /** Sessions with an expired lease, and pending ones that have expired: ids only, because each is then handled under its own lock. */
  async findOverdue(take: number): Promise<{ id: string; clientId: string }[]> {
    return this.database.manager.query(
      `(SELECT id, client_id AS "clientId" FROM upload_sessions
         WHERE status = 'finalizing' AND lease_until < now() LIMIT $1)
       UNION ALL
       (SELECT id, client_id AS "clientId" FROM upload_sessions
         WHERE status = 'pending' AND expires_at < now() LIMIT $1)`,
      [take],
    );
  }
}

/** For an active session: just created, or just taken. */
function toSession(row: SessionRow): UploadSession {
  const isLeased = row.status === 'finalizing';
  return { ...row, isLeased, isOverdue: false, isLongAbandoned: false, secondsUntilDecode: null };
}

/** An expression instead of a value: times are compared between processes, whose clocks may differ. */
function secondsFromNow(seconds: number): () => string {
  return () => `clock_timestamp() + make_interval(secs => ${Number(seconds)})`;
}
