import { Injectable } from '@nestjs/common';
import { type EntityManager, IsNull } from 'typeorm';
import { AccessPool } from '../database/access-pool.js';
import { Database } from '../database/database.js';
import { RefreshToken } from '../database/entities/refresh-token.entity.js';
import { SignIn } from '../database/entities/sign-in.entity.js';
import type { Role } from './permissions.js';
import type { Principal } from './principal.js';

interface PrincipalRow {
  id: string;
  name: string;
  email: string | null;
  role: Role;
  client_ids: string[] | null;
}

const FIND_ACTIVE_USER = {
  name: 'find-active-user',
  text: `SELECT u.id, u.name, u.email, u.role, u.client_ids
           FROM sign_ins s JOIN users u ON u.id = s.user_id
          WHERE s.id = $1 AND u.id = $2 AND u.is_active AND s.revoked_at IS NULL AND s.expires_at > now()`,
};

const NOTE_KEY_USE = {
  name: 'note-key-use',
  text: 'UPDATE api_keys SET last_used_at = now() WHERE id = $1',
};

const FIND_ACTIVE_KEY = {
  name: 'find-active-key',
  text: `SELECT id, name, NULL AS email, role, client_ids, coalesce(last_used_at < now() - interval '1 minute', true) AS note_use
           FROM api_keys WHERE key_hash = $1 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now())`,
};

/** The queries that every request or sign-in makes. */
@Injectable()
export class AuthRepository {
  constructor(
    private readonly access: AccessPool,
    private readonly database: Database,
  ) {}

  async findActiveUserPrincipal(userId: string, signInId: string): Promise<Principal | null> {
    const [row] = await this.access.find<PrincipalRow>(FIND_ACTIVE_USER, [signInId, userId]);
    return row ? toPrincipal('user', row, signInId) : null;
  }

  /** Notes the use of the key at most once a minute, so that reading does not turn into writing. */
  async findActiveKeyPrincipal(keyHash: Buffer): Promise<Principal | null> {
    const [row] = await this.access.find<PrincipalRow & { note_use: boolean }>(FIND_ACTIVE_KEY, [keyHash]);
    if (!row) return null;
    if (row.note_use) await this.access.find(NOTE_KEY_USE, [row.id]);
    return toPrincipal('api_key', row, null);
  }

  /** For long work: whether whoever began it may still end it. */
  async isStillActive(manager: EntityManager, principal: Principal): Promise<boolean> {
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

  async insertSignIn(manager: EntityManager, signIn: SignIn): Promise<void> {
    await manager.insert(SignIn, signIn);
  }

  async insertRefreshToken(manager: EntityManager, token: RefreshToken): Promise<void> {
    await manager.insert(RefreshToken, token);
  }

  /** Locks the token, so that of two tabs refreshing at once each sees what the other did. */
  lockRefreshToken(manager: EntityManager, tokenHash: Buffer): Promise<RefreshToken | null> {
    return manager.findOne(RefreshToken, { where: { tokenHash }, lock: { mode: 'pessimistic_write' } });
  }

  async markRefreshTokenUsed(manager: EntityManager, tokenHash: Buffer): Promise<void> {
    await manager.update(RefreshToken, { tokenHash, usedAt: IsNull() }, { usedAt: new Date() });
  }

  findOpenSignIn(manager: EntityManager, id: string): Promise<SignIn | null> {
    return manager.findOneBy(SignIn, { id, revokedAt: IsNull() });
  }

  async extendSignIn(manager: EntityManager, id: string, expiresAt: Date): Promise<void> {
    await manager.update(SignIn, { id }, { expiresAt });
  }

  async revokeSignIn(manager: EntityManager, id: string): Promise<void> {
    await manager.update(SignIn, { id, revokedAt: IsNull() }, { revokedAt: new Date() });
  }

  async deleteEndedSignIns(): Promise<void> {
    await this.database.manager.query(`DELETE FROM sign_ins WHERE expires_at < now() - interval '1 day'`);
  }
}

function toPrincipal(kind: Principal['kind'], row: PrincipalRow, signInId: string | null): Principal {
  return {
    kind,
    id: row.id,
    name: row.name,
    email: row.email,
    role: row.role,
    clientIds: row.client_ids,
    signInId,
  };
}
