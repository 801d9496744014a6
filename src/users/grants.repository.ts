import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Grant } from '../access/permissions.js';
import type { Principal } from '../access/principal.js';

/** Locks both rows: after waiting for a lock, Postgres re-reads only the rows that it locks. */
const HOLD_USER = `
  SELECT u.role, u.client_ids AS "clientIds" FROM users u JOIN sign_ins s ON s.user_id = u.id
   WHERE u.id = $1 AND s.id = $2 AND u.is_active AND s.revoked_at IS NULL AND s.expires_at > clock_timestamp()
     FOR SHARE OF u, s`;

const HOLD_KEY = `
  SELECT role, client_ids AS "clientIds", surfaces FROM api_keys
   WHERE id = $1 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > clock_timestamp())
     FOR SHARE`;

@Injectable()
export class GrantsRepository {
  /** The current grant of the caller, locked against changes; null if the caller is no longer active. */
  async lockCurrentGrant({ kind, id, signInId }: Principal, manager: EntityManager): Promise<Grant | null> {
    const [row] =
      kind === 'user'
        ? await manager.query<Grant[]>(HOLD_USER, [id, signInId])
        : await manager.query<Grant[]>(HOLD_KEY, [id]);
    return row ?? null;
  }
}
