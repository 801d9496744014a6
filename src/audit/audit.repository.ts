import { Injectable } from '@nestjs/common';
import { type EntityManager, LessThan } from 'typeorm';
import type { InClient } from '../access/principal.js';
import { Database } from '../database/database.js';
import { AuditEvent } from '../database/entities/audit-event.entity.js';

@Injectable()
export class AuditRepository {
  constructor(private readonly database: Database) {}

  async insert(events: readonly AuditEvent[], manager: EntityManager): Promise<void> {
    await manager.insert(AuditEvent, events as object[]);
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
