import { Injectable } from '@nestjs/common';
import { type EntityManager, IsNull, LessThan, Not } from 'typeorm';
import type { InClient } from '../access/principal.js';
import { ROWS_AT_ONCE, slicesOf } from '../common/slices.js';
import { columnsOf } from '../database/columns.js';
import { Database } from '../database/database.js';
import { DomainEvent } from '../database/entities/domain-event.entity.js';
import type { AuditEvent } from './audit-event.js';

const COLUMNS = columnsOf(DomainEvent);

@Injectable()
export class AuditRepository {
  constructor(private readonly database: Database) {}

  async insert(events: readonly AuditEvent[], manager: EntityManager): Promise<void> {
    for (const some of slicesOf(events, ROWS_AT_ONCE)) await manager.insert(DomainEvent, some as object[]);
  }

  /** Newest first. */
  findOfClient({ clientId }: InClient, beforeId: string | null, take: number): Promise<AuditEvent[]> {
    return this.database.manager.find(DomainEvent, {
      where: { clientId, actorKind: Not(IsNull()), ...(beforeId === null ? {} : { id: LessThan(beforeId) }) },
      order: { id: 'DESC' },
      take,
    }) as Promise<AuditEvent[]>;
  }

  /**
   * Newest first: changes of the asset itself, its deliveries, the references that use it, and the restoring of what it was trashed with. An
   * asset has few events, so all of them are found by their subjects and then sorted.
   */
  findOfAsset(
    { clientId }: InClient,
    assetId: string,
    beforeId: string | null,
    take: number,
  ): Promise<AuditEvent[]> {
    return this.database.manager.query(
      `WITH found AS MATERIALIZED (
         SELECT * FROM events WHERE client_id = $1 AND actor_kind IS NOT NULL AND subject_id = ANY (ARRAY(
           SELECT $2::uuid::text
           UNION ALL SELECT id::text FROM deliveries WHERE client_id = $1 AND asset_id = $2::uuid
           UNION ALL SELECT kind || '/' || external_id FROM usages WHERE client_id = $1 AND asset_id = $2::uuid
           UNION ALL SELECT after->>'batchId' FROM events
             WHERE client_id = $1 AND actor_kind IS NOT NULL AND subject_id = $2::uuid::text AND action = 'asset.trash')))
       SELECT ${COLUMNS} FROM found
        WHERE id < coalesce($3::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff') ORDER BY id DESC LIMIT $4`,
      [clientId, assetId, beforeId, take],
    );
  }
}
