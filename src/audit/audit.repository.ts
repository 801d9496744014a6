import { Injectable } from '@nestjs/common';
import { type EntityManager, LessThan } from 'typeorm';
import type { InClient } from '../access/principal.js';
import { ROWS_AT_ONCE, slicesOf } from '../common/slices.js';
import { columnsOf } from '../database/columns.js';
import { Database } from '../database/database.js';
import { AuditEvent } from '../database/entities/audit-event.entity.js';

const COLUMNS = columnsOf(AuditEvent);

@Injectable()
export class AuditRepository {
  constructor(private readonly database: Database) {}

  async insert(events: readonly AuditEvent[], manager: EntityManager): Promise<void> {
    for (const some of slicesOf(events, ROWS_AT_ONCE)) await manager.insert(AuditEvent, some as object[]);
  }

  /** Newest first. */
  findOfClient({ clientId }: InClient, beforeId: string | null, take: number): Promise<AuditEvent[]> {
    return this.database.manager.find(AuditEvent, {
      where: { clientId, ...(beforeId === null ? {} : { id: LessThan(beforeId) }) },
      order: { id: 'DESC' },
      take,
    });
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
         SELECT * FROM audit_events WHERE client_id = $1 AND subject_id = ANY (ARRAY(
           SELECT $2::uuid::text
           UNION ALL SELECT id::text FROM deliveries WHERE client_id = $1 AND asset_id = $2::uuid
           UNION ALL SELECT kind || '/' || external_id FROM usages WHERE client_id = $1 AND asset_id = $2::uuid
           UNION ALL SELECT after->>'batchId' FROM audit_events
             WHERE client_id = $1 AND subject_id = $2::uuid::text AND action = 'asset.trash')))
       SELECT ${COLUMNS} FROM found
        WHERE id < coalesce($3::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff') ORDER BY id DESC LIMIT $4`,
      [clientId, assetId, beforeId, take],
    );
  }
}
