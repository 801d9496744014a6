import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { InClient } from '../access/principal.js';
import { ROWS_AT_ONCE, slicesOf } from '../common/slices.js';
import { Database } from '../database/database.js';
import { DomainEvent } from '../database/entities/domain-event.entity.js';
import type { Queries } from '../database/queries.js';
import type { AuditEvent } from './audit-event.js';
import { type AuditRange, type AuditSelection, PORTAL_ROLES, statementOf } from './audit-selection.js';

/** Goes from one action to the next in the index, instead of reading all events. */
const ACTIONS = `
  WITH RECURSIVE known(action) AS (
    (SELECT action FROM events WHERE actor_kind IS NOT NULL ORDER BY action LIMIT 1)
    UNION ALL
    SELECT (SELECT e.action FROM events e WHERE e.actor_kind IS NOT NULL AND e.action > known.action
             ORDER BY e.action LIMIT 1)
      FROM known WHERE known.action IS NOT NULL)
  SELECT action FROM known WHERE action IS NOT NULL`;

@Injectable()
export class AuditRepository {
  constructor(private readonly database: Database) {}

  async insert(events: readonly AuditEvent[], manager: EntityManager): Promise<void> {
    for (const some of slicesOf(events, ROWS_AT_ONCE)) await manager.insert(DomainEvent, some as object[]);
  }

  /** Newest first. */
  find(
    range: AuditRange,
    selection: AuditSelection,
    beforeId: string | null,
    take: number,
    queries: Queries = this.database.manager,
  ): Promise<AuditEvent[]> {
    const { text, values } = statementOf(range, selection, beforeId, take);
    return queries.query(text, values);
  }

  /** All actions that have ever been recorded. */
  async findActions(queries: Queries = this.database.manager): Promise<string[]> {
    const rows = await queries.query<{ action: string }[]>(ACTIONS);
    return rows.map(({ action }) => action);
  }

  /** Users and API keys whose name or email address contains the text. */
  findActorIds(text: string, take: number): Promise<string[]> {
    return this.idsOf(
      `SELECT id FROM users WHERE name ILIKE $1 OR email ILIKE $1
        UNION ALL SELECT id FROM api_keys WHERE name ILIKE $1 LIMIT $2`,
      [containing(text), take],
    );
  }

  /** The same, but only users of the client's portal. */
  findPortalActorIds({ clientId }: InClient, text: string, take: number): Promise<string[]> {
    return this.idsOf(
      `SELECT id FROM users WHERE client_ids = ARRAY[$1]::text[] AND role = ANY ($2::text[])
          AND (name ILIKE $3 OR email ILIKE $3) LIMIT $4`,
      [clientId, PORTAL_ROLES, containing(text), take],
    );
  }

  /** Those of them that are users of the client's portal. */
  findPortalUsers({ clientId }: InClient, ids: readonly string[]): Promise<string[]> {
    return this.idsOf(
      `SELECT id FROM users WHERE client_ids = ARRAY[$1]::text[] AND role = ANY ($2::text[]) AND id = ANY ($3::uuid[])`,
      [clientId, PORTAL_ROLES, ids],
    );
  }

  /** Deletes at most `limit` events of these actions made before the id, and returns their number. */
  async deleteBefore(id: string, actions: readonly string[], limit: number): Promise<number> {
    const [, count] = await this.database.manager.query<[unknown, number]>(
      `DELETE FROM events WHERE id IN (
         SELECT old.id FROM unnest($2::text[]) AS wanted(action) CROSS JOIN LATERAL (
           SELECT e.id FROM events e WHERE e.actor_kind IS NOT NULL AND e.action = wanted.action AND e.id < $1
            ORDER BY e.id LIMIT $3) old LIMIT $3)`,
      [id, actions, limit],
    );
    return count;
  }

  private async idsOf(sql: string, values: unknown[]): Promise<string[]> {
    const rows = await this.database.manager.query<{ id: string }[]>(sql, values);
    return rows.map(({ id }) => id);
  }
}

const containing = (text: string) => `%${text.replace(/[\\%_]/g, '\\$&')}%`;
