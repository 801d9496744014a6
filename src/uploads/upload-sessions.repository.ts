import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { ClientScope } from '../auth/principal.js';
import { firstIdAt } from '../common/ids.js';
import { Database } from '../database/database.js';
import { UploadSession } from '../database/entities/upload-session.entity.js';

export type NewUploadSession = Omit<
  UploadSession,
  'createdAt' | 'urlExpiresAt' | 'expiresAt' | 'isLeased' | 'isOverdue' | 'isLongAbandoned' | 'failedAttempts'
>;

export interface SessionLifetime {
  readonly urlSeconds: number;
  readonly sessionSeconds: number;
}

const RECENT_MS = 10 * 60_000;

@Injectable()
export class UploadSessionsRepository {
  constructor(private readonly database: Database) {}

  findById(scope: ClientScope, id: string): Promise<UploadSession | null> {
    return this.database.manager.findOneBy(UploadSession, { clientId: scope.clientId, id });
  }

  findByToken(scope: ClientScope, tokenHash: Buffer): Promise<UploadSession | null> {
    return this.database.manager.findOneBy(UploadSession, { clientId: scope.clientId, tokenHash });
  }

  lock(manager: EntityManager, clientId: string, id: string): Promise<UploadSession | null> {
    return manager.findOne(UploadSession, { where: { clientId, id }, lock: { mode: 'pessimistic_write' } });
  }

  /** Its times start now, by the database's clock. */
  async insert(
    manager: EntityManager,
    session: NewUploadSession,
    lifetime: SessionLifetime,
  ): Promise<UploadSession> {
    await manager.insert(UploadSession, {
      ...session,
      urlExpiresAt: secondsFromNow(lifetime.urlSeconds),
      expiresAt: secondsFromNow(lifetime.sessionSeconds),
    });
    return manager.findOneByOrFail(UploadSession, { id: session.id });
  }

  async renewUrl(manager: EntityManager, id: string, urlSeconds: number): Promise<UploadSession> {
    await manager.update(UploadSession, { id }, { urlExpiresAt: secondsFromNow(urlSeconds) });
    return manager.findOneByOrFail(UploadSession, { id });
  }

  async takeLease(manager: EntityManager, id: string, attempt: string, seconds: number): Promise<void> {
    const taken = { status: 'finalizing' as const, attempt, leaseUntil: secondsFromNow(seconds) };
    await manager.update(UploadSession, { id }, taken);
  }

  async update(manager: EntityManager, id: string, change: Partial<UploadSession>): Promise<void> {
    await manager.update(UploadSession, { id }, change);
  }

  /** Serialises the opening of sessions per client for the rest of the transaction, so that limits hold exactly. */
  async countOpen(manager: EntityManager, clientId: string): Promise<{ sessions: number; bytes: number }> {
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

  /** False when someone else has taken over. */
  async renewLease(id: string, attempt: string, seconds: number): Promise<boolean> {
    const { affected } = await this.database.manager.update(
      UploadSession,
      { id, attempt, status: 'finalizing' },
      { leaseUntil: secondsFromNow(seconds) },
    );
    return affected === 1;
  }

  /** Sessions that ended, or could have, before the given age; how many were deleted. */
  async deleteEnded(olderThanSeconds: number, take: number): Promise<number> {
    const [, count] = await this.database.manager.query<[unknown, number]>(
      `DELETE FROM upload_sessions WHERE id IN (
         SELECT id FROM upload_sessions
          WHERE status IN ('finalized', 'rejected', 'cancelled', 'expired') AND expires_at < now() - make_interval(secs => $1)
          ORDER BY expires_at LIMIT $2 FOR UPDATE SKIP LOCKED)`,
      [olderThanSeconds, take],
    );
    return count;
  }

  /** Whose lease ran out, and pending ones past their time: ids only, each is then handled under its own lock. */
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

  /** How many assets the client has created in the last minutes, up to a thousand. Their ids are in order of time. */
  async countRecentAssets(manager: EntityManager, clientId: string): Promise<number> {
    const [row] = await manager.query<{ count: number }[]>(
      `SELECT count(*)::int FROM (SELECT FROM assets WHERE client_id = $1 AND id > $2 LIMIT 1000) AS recent`,
      [clientId, firstIdAt(Date.now() - RECENT_MS)],
    );
    return row!.count;
  }
}

/** An expression rather than a value: times are compared between processes, whose clocks may differ. */
function secondsFromNow(seconds: number): () => string {
  return () => `clock_timestamp() + make_interval(secs => ${Number(seconds)})`;
}
