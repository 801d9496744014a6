import { Injectable } from '@nestjs/common';
import { type EntityManager, IsNull } from 'typeorm';
import { Database } from '../database/database.js';
import { type LinkMaker, PasswordLink } from '../database/entities/password-link.entity.js';
import { columnsOf } from '../database/columns.js';

const COLUMNS = columnsOf(PasswordLink);

type NewLink = Pick<PasswordLink, 'tokenHash' | 'userId' | 'makerKind' | 'makerId'>;

/** Expiry uses the database's clock, because the clocks of processes may differ. */
@Injectable()
export class PasswordLinksRepository {
  constructor(private readonly database: Database) {}

  async insert(link: NewLink, lifetimeSeconds: number, manager: EntityManager): Promise<Date> {
    const [row] = await manager.query<[Pick<PasswordLink, 'expiresAt'>]>(
      `INSERT INTO password_links (token_hash, user_id, maker_kind, maker_id, expires_at)
         VALUES ($1, $2, $3, $4, now() + make_interval(secs => $5)) RETURNING expires_at AS "expiresAt"`,
      [link.tokenHash, link.userId, link.makerKind, link.makerId, lifetimeSeconds],
    );
    return row.expiresAt;
  }

  async findOpen(
    tokenHash: Buffer,
    manager: EntityManager = this.database.manager,
  ): Promise<PasswordLink | null> {
    const [row] = await manager.query<PasswordLink[]>(
      `SELECT ${COLUMNS} FROM password_links WHERE token_hash = $1 AND expires_at > clock_timestamp()`,
      [tokenHash],
    );
    return row ?? null;
  }

  /** When the links end that others made for these users, unless their makers have been deactivated. */
  async findExpiries(userIds: readonly string[]): Promise<Map<string, Date>> {
    if (userIds.length === 0) return new Map();
    const rows = await this.database.manager.query<{ userId: string; expiresAt: Date }[]>(
      `SELECT l.user_id AS "userId", l.expires_at AS "expiresAt" FROM password_links l
         LEFT JOIN users u ON l.maker_kind = 'user' AND u.id = l.maker_id
         LEFT JOIN api_keys k ON l.maker_kind = 'api_key' AND k.id = l.maker_id
        WHERE l.user_id = ANY ($1::uuid[]) AND l.expires_at > now()
          AND (u.is_active OR (k.id IS NOT NULL AND k.revoked_at IS NULL AND coalesce(k.expires_at > now(), true)))`,
      [userIds],
    );
    return new Map(rows.map(({ userId, expiresAt }) => [userId, expiresAt]));
  }

  /** True if it was still open: of two that use it at the same time, one gets it. */
  async deleteOpen(tokenHash: Buffer, manager: EntityManager): Promise<boolean> {
    const [, count] = await manager.query<[unknown, number]>(
      'DELETE FROM password_links WHERE token_hash = $1 AND expires_at > clock_timestamp()',
      [tokenHash],
    );
    return count === 1;
  }

  /** `own`: only those that the user asked for. */
  async deleteOfUser(userId: string, { own }: { own: boolean }, manager: EntityManager): Promise<void> {
    await manager.delete(PasswordLink, { userId, ...(own ? { makerKind: IsNull() } : {}) });
  }

  async deleteOfMaker(makerKind: LinkMaker, makerId: string, manager: EntityManager): Promise<void> {
    await manager.delete(PasswordLink, { makerKind, makerId });
  }

  /** Deletes at most `limit` expired links and returns their number. */
  async deleteExpired(limit: number): Promise<number> {
    const [, count] = await this.database.manager.query<[unknown, number]>(
      `DELETE FROM password_links WHERE token_hash IN (
         SELECT token_hash FROM password_links WHERE expires_at < now() LIMIT $1 FOR UPDATE SKIP LOCKED)`,
      [limit],
    );
    return count;
  }
}
