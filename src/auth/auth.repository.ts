import { Injectable } from '@nestjs/common';
import { type EntityManager, IsNull } from 'typeorm';
import { AccessPool } from '../database/access-pool.js';
import { Database } from '../database/database.js';
import { RefreshToken } from '../database/entities/refresh-token.entity.js';
import { SignIn } from '../database/entities/sign-in.entity.js';
import type { Grant } from '../access/permissions.js';
import type { ActiveCaller, Principal } from '../access/principal.js';

type CallerRow = Principal & Pick<ActiveCaller, 'secondsLeft'>;

const FIND_ACTIVE_USER = {
  name: 'find-active-user',
  text: `SELECT 'user' AS kind, u.id, u.name, u.email, u.role, u.client_ids AS "clientIds", NULL AS surfaces, s.id AS "signInId",
               extract(epoch FROM s.expires_at - now())::float8 AS "secondsLeft"
           FROM sign_ins s JOIN users u ON u.id = s.user_id
          WHERE s.id = $1 AND u.id = $2 AND u.is_active AND s.revoked_at IS NULL AND s.expires_at > now()`,
};

const NOTE_KEY_USE = {
  name: 'note-key-use',
  text: 'UPDATE api_keys SET last_used_at = now() WHERE id = $1',
};

const FIND_ACTIVE_KEY = {
  name: 'find-active-key',
  text: `SELECT 'api_key' AS kind, id, name, NULL AS email, role, client_ids AS "clientIds", surfaces, NULL AS "signInId",
               coalesce(extract(epoch FROM expires_at - now())::float8, 'Infinity') AS "secondsLeft",
               coalesce(last_used_at < now() - interval '1 minute', true) AS "noteUse"
           FROM api_keys WHERE key_hash = $1 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now())`,
};

const FIND_CURRENT_ACCESS = {
  name: 'find-current-access',
  text: `SELECT s.id, u.role, u.client_ids AS "clientIds", NULL::text[] AS surfaces, u.is_active AS "isActive",
               s.revoked_at IS NULL AND s.expires_at > now() AS "isOpen"
           FROM sign_ins s JOIN users u ON u.id = s.user_id WHERE s.id = ANY ($1::uuid[])
          UNION ALL
         SELECT id, role, client_ids, surfaces, true, revoked_at IS NULL AND coalesce(expires_at > now(), true)
           FROM api_keys WHERE id = ANY ($2::uuid[])`,
};

/** The current grant of a caller, and whether the sign-in or key is still active. */
export interface CurrentAccess extends Grant {
  readonly isActive: boolean;
  readonly isOpen: boolean;
}

/** How long a sign-in lasts without a refresh, and its maximum lifetime. */
export interface SignInLifetime {
  readonly idleSeconds: number;
  readonly maxSeconds: number;
}

/** The queries that every request or sign-in makes. They use the database's clock, because the clocks of processes may differ. */
@Injectable()
export class AuthRepository {
  constructor(
    private readonly access: AccessPool,
    private readonly database: Database,
  ) {}

  async findActiveUser(userId: string, signInId: string): Promise<ActiveCaller | null> {
    const [row] = await this.access.find<CallerRow>(FIND_ACTIVE_USER, [signInId, userId]);
    return row ? toCaller(row) : null;
  }

  /** Records the use of the key at most once a minute, so that reads do not cause writes. */
  async findActiveKey(keyHash: Buffer): Promise<ActiveCaller | null> {
    const [row] = await this.access.find<CallerRow & { noteUse: boolean }>(FIND_ACTIVE_KEY, [keyHash]);
    if (!row) return null;
    const { noteUse, ...caller } = row;
    if (noteUse) await this.access.find(NOTE_KEY_USE, [caller.id]);
    return toCaller(caller);
  }

  /** For long-running work: whether the caller still has access. */
  async isStillActive(principal: Principal, manager: EntityManager): Promise<boolean> {
    const [row] = await manager.query<{ active: boolean }[]>(
      principal.kind === 'user'
        ? `SELECT u.is_active AND s.revoked_at IS NULL AND s.expires_at > clock_timestamp() AS active
             FROM users u JOIN sign_ins s ON s.user_id = u.id AND s.id = $2 WHERE u.id = $1`
        : `SELECT revoked_at IS NULL AND coalesce(expires_at > clock_timestamp(), true) AS active
             FROM api_keys WHERE id = $1 AND $2::uuid IS NULL`,
      [principal.id, principal.signInId],
    );
    return row?.active ?? false;
  }

  /** The current status of callers, by sign-in or API key. Deleted ones are omitted. */
  async findCurrentAccess(principals: readonly Principal[]): Promise<Map<string, CurrentAccess>> {
    const signInIds = principals.flatMap(({ signInId }) => signInId ?? []);
    const keyIds = principals.filter(({ kind }) => kind === 'api_key').map(({ id }) => id);
    const rows = await this.access.find<CurrentAccess & { id: string }>(FIND_CURRENT_ACCESS, [
      signInIds,
      keyIds,
    ]);
    return new Map(rows.map(({ id, ...access }) => [id, access]));
  }

  async hasSignedInFrom(userId: string, networkHash: Buffer): Promise<boolean> {
    const rows = await this.database.manager.query<unknown[]>(
      'SELECT 1 FROM sign_ins WHERE user_id = $1 AND network_hash = $2 LIMIT 1',
      [userId, networkHash],
    );
    return rows.length > 0;
  }

  async insertSignIn(
    signIn: Pick<SignIn, 'id' | 'userId' | 'networkHash' | 'userAgent'>,
    lifetime: SignInLifetime,
    manager: EntityManager,
  ): Promise<void> {
    await manager.query(
      `INSERT INTO sign_ins (id, user_id, network_hash, user_agent, expires_at)
         VALUES ($1, $2, $3, $4, now() + make_interval(secs => least($5::float8, $6::float8)))`,
      [
        signIn.id,
        signIn.userId,
        signIn.networkHash,
        signIn.userAgent,
        lifetime.idleSeconds,
        lifetime.maxSeconds,
      ],
    );
  }

  /** Expires with its sign-in. */
  async insertRefreshToken(signInId: string, tokenHash: Buffer, manager: EntityManager): Promise<void> {
    await manager.query(
      `INSERT INTO refresh_tokens (token_hash, sign_in_id, expires_at)
         SELECT $1::bytea, id, expires_at FROM sign_ins WHERE id = $2`,
      [tokenHash, signInId],
    );
  }

  /** Locks the sign-in while it is open, so that two tabs that refresh at the same time see each other's changes. */
  async lockOpenSignIn(
    id: string,
    lifetime: SignInLifetime,
    manager: EntityManager,
  ): Promise<{ userId: string } | null> {
    const [row] = await manager.query<{ userId: string }[]>(
      `SELECT user_id AS "userId" FROM sign_ins
        WHERE id = $1 AND revoked_at IS NULL AND expires_at > clock_timestamp()
          AND created_at > clock_timestamp() - make_interval(secs => $2)
          FOR UPDATE`,
      [id, lifetime.maxSeconds],
    );
    return row ?? null;
  }

  /** Deactivating a user ends their sign-ins. This returns why a sign-in has ended. */
  async isOfInactiveUser(signInId: string, manager: EntityManager): Promise<boolean> {
    const [row] = await manager.query<object[]>(
      `SELECT 1 FROM sign_ins JOIN users ON users.id = sign_ins.user_id
        WHERE sign_ins.id = $1 AND NOT users.is_active`,
      [signInId],
    );
    return row !== undefined;
  }

  /** For tokens sealed with a secret that has been removed since. */
  async findSignInOfToken(tokenHash: Buffer, manager: EntityManager): Promise<string | null> {
    const token = await manager.findOneBy(RefreshToken, { tokenHash });
    return token?.signInId ?? null;
  }

  /** `used`: before the grace period for two tabs. Such tokens may already have been deleted. */
  async findTokenState(
    tokenHash: Buffer,
    graceSeconds: number,
    manager: EntityManager,
  ): Promise<'usable' | 'expired' | 'used' | 'unknown'> {
    const [row] = await manager.query<{ state: 'usable' | 'expired' | 'used' }[]>(
      `SELECT CASE WHEN used_at <= clock_timestamp() - make_interval(secs => $2) THEN 'used'
                   WHEN expires_at <= clock_timestamp() THEN 'expired' ELSE 'usable' END AS state
         FROM refresh_tokens WHERE token_hash = $1`,
      [tokenHash, graceSeconds],
    );
    return row?.state ?? 'unknown';
  }

  /** Marks the token as used, deletes tokens used before the grace period, and extends the sign-in up to its maximum lifetime. */
  async useRefreshToken(
    signInId: string,
    tokenHash: Buffer,
    graceSeconds: number,
    lifetime: SignInLifetime,
    manager: EntityManager,
  ): Promise<void> {
    await manager.query(
      'UPDATE refresh_tokens SET used_at = clock_timestamp() WHERE token_hash = $1 AND used_at IS NULL',
      [tokenHash],
    );
    await manager.query(
      `DELETE FROM refresh_tokens
        WHERE sign_in_id = $1 AND used_at <= clock_timestamp() - make_interval(secs => $2)`,
      [signInId, graceSeconds],
    );
    await manager.query(
      `UPDATE sign_ins SET last_used_at = now(),
              expires_at = least(now() + make_interval(secs => $2), created_at + make_interval(secs => $3))
        WHERE id = $1`,
      [signInId, lifetime.idleSeconds, lifetime.maxSeconds],
    );
  }

  /** False if it had ended already. */
  async revokeSignIn(id: string, manager: EntityManager): Promise<boolean> {
    const { affected } = await manager.update(
      SignIn,
      { id, revokedAt: IsNull() },
      { revokedAt: () => 'now()' },
    );
    return affected === 1;
  }

  /** Deletes at most `limit` sign-ins that ended before the retention period, with their refresh tokens. Returns the number of sign-ins. */
  async deleteEndedSignIns(retentionSeconds: number, limit: number): Promise<number> {
    const [, count] = await this.database.manager.query<[unknown, number]>(
      `DELETE FROM sign_ins WHERE id IN (
         SELECT id FROM sign_ins WHERE least(expires_at, revoked_at) < now() - make_interval(secs => $1)
          LIMIT $2 FOR UPDATE SKIP LOCKED)`,
      [retentionSeconds, limit],
    );
    return count;
  }

  /** Deletes at most `limit` expired counters and returns their number. */
  async deleteExpiredLimits(limit: number): Promise<number> {
    const [, count] = await this.database.manager.query<[unknown, number]>(
      `DELETE FROM rate_limits WHERE key IN (
         SELECT key FROM rate_limits WHERE expire < extract(epoch FROM now() - interval '1 hour') * 1000
          LIMIT $1 FOR UPDATE SKIP LOCKED)`,
      [limit],
    );
    return count;
  }
}

function toCaller({ secondsLeft, ...principal }: CallerRow): ActiveCaller {
  return { principal, secondsLeft };
}
