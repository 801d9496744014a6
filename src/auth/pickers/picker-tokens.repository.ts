import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { ActiveCaller, Principal } from '../../access/principal.js';
import { AccessPool } from '../../database/access-pool.js';
import { Database } from '../../database/database.js';
import type { PickerToken } from '../../database/entities/picker-token.entity.js';
import { holdsPicker } from './picker.rules.js';

type NewPickerToken = Omit<PickerToken, 'accessHash' | 'createdAt' | 'expiresAt'>;

/** The maker of a token, and what the token allows. */
type PickerRow = Omit<Principal, 'picker'> &
  Pick<ActiveCaller, 'secondsLeft'> &
  Pick<PickerToken, 'clientId' | 'surface' | 'uploads'>;

const FIND_ACTIVE_PICKER = {
  name: 'find-active-picker',
  text: `SELECT 'user' AS kind, u.id, u.name, u.email, u.role, u.client_ids AS "clientIds", NULL::text[] AS surfaces, s.id AS "signInId",
                extract(epoch FROM least(p.expires_at, s.expires_at) - now())::float8 AS "secondsLeft", p.client_id AS "clientId", p.surface, p.uploads
           FROM picker_tokens p JOIN sign_ins s ON s.id = p.sign_in_id JOIN users u ON u.id = s.user_id
          WHERE p.access_hash = $1 AND p.expires_at > now() AND u.is_active AND s.revoked_at IS NULL AND s.expires_at > now()
          UNION ALL
         SELECT 'api_key', k.id, k.name, NULL, k.role, k.client_ids, k.surfaces, NULL,
                extract(epoch FROM least(p.expires_at, k.expires_at) - now())::float8, p.client_id, p.surface, p.uploads
           FROM picker_tokens p JOIN api_keys k ON k.id = p.api_key_id
          WHERE p.access_hash = $1 AND p.expires_at > now() AND k.revoked_at IS NULL AND coalesce(k.expires_at > now(), true)`,
};

@Injectable()
export class PickerTokensRepository {
  constructor(
    private readonly access: AccessPool,
    private readonly database: Database,
  ) {}

  /** Returns when it expires. */
  async insert(token: NewPickerToken, lifetimeSeconds: number): Promise<Date> {
    const [row] = await this.database.manager.query<{ expires_at: Date }[]>(
      `INSERT INTO picker_tokens (id, token_hash, sign_in_id, api_key_id, client_id, surface, multiple, uploads, expires_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, now() + make_interval(secs => $9)) RETURNING expires_at`,
      [
        token.id,
        token.tokenHash,
        token.signInId,
        token.apiKeyId,
        token.clientId,
        token.surface,
        token.multiple,
        token.uploads,
        lifetimeSeconds,
      ],
    );
    return row!.expires_at;
  }

  /** Exchanges the token, which works once: of two requests at the same time, the second finds it used. */
  async exchange(
    tokenHash: Buffer,
    accessHash: Buffer,
    lifetimeSeconds: number,
    manager: EntityManager,
  ): Promise<Pick<PickerToken, 'clientId' | 'surface' | 'multiple' | 'uploads'> | null> {
    const [rows] = await manager.query<[PickerToken[], number]>(
      `UPDATE picker_tokens SET access_hash = $2, expires_at = now() + make_interval(secs => $3)
        WHERE token_hash = $1 AND access_hash IS NULL AND expires_at > now()
        RETURNING client_id AS "clientId", surface, multiple, uploads`,
      [tokenHash, accessHash, lifetimeSeconds],
    );
    return rows[0] ?? null;
  }

  /** The picker with this access token, while its maker is active and holds what it allows. Inside a transaction, pass its manager. */
  async findActive(accessHash: Buffer, manager?: EntityManager): Promise<ActiveCaller | null> {
    const [row] = manager
      ? await manager.query<PickerRow[]>(FIND_ACTIVE_PICKER.text, [accessHash])
      : await this.access.find<PickerRow>(FIND_ACTIVE_PICKER, [accessHash]);
    if (row === undefined || !holdsPicker(row, row)) return null;
    const { secondsLeft, clientId, surface, uploads, ...maker } = row;
    const surfaces = surface === null ? null : [surface];
    return { principal: { ...maker, clientIds: [clientId], surfaces, picker: { uploads } }, secondsLeft };
  }

  /** Deletes at most `limit` expired tokens and returns their number. */
  async deleteExpired(limit: number): Promise<number> {
    const [, count] = await this.database.manager.query<[unknown, number]>(
      `DELETE FROM picker_tokens WHERE id IN (
         SELECT id FROM picker_tokens WHERE expires_at < now() - interval '1 minute' LIMIT $1 FOR UPDATE SKIP LOCKED)`,
      [limit],
    );
    return count;
  }
}
