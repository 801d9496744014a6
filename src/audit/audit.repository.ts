import { Injectable } from '@nestjs/common';
import { type EntityManager, LessThan } from 'typeorm';
import type { InClient } from '../access/principal.js';
import { ROWS_AT_ONCE, slicesOf } from '../common/slices.js';
import { Database } from '../database/database.js';
import { AuditEvent } from '../database/entities/audit-event.entity.js';

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
}
