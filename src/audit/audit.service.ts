import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { ClientScope, Principal } from '../access/principal.js';
import { currentRequestId } from '../common/http/request-context.js';
import { newId } from '../common/ids.js';
import { decodeCursor, isUuidText, type Page, type PageQuery, toPage } from '../common/paging/page.js';
import type { AuditEvent } from '../database/entities/audit-event.entity.js';
import { AuditRepository } from './audit.repository.js';

export interface Change {
  /** Null if the service itself acts, for example at startup or in the background. */
  readonly actor: Principal | null;
  readonly clientId?: string;
  readonly action: string;
  readonly subject: readonly [kind: string, id: string];
  readonly before?: Record<string, unknown>;
  readonly after?: Record<string, unknown>;
}

@Injectable()
export class AuditService {
  constructor(private readonly repository: AuditRepository) {}

  /** Runs in the transaction of the change, so there is no change without its event and no event without its change. */
  async record(manager: EntityManager, change: Change): Promise<void> {
    await this.recordAll(manager, [change]);
  }

  /** Records several changes of one transaction in one statement. */
  async recordAll(manager: EntityManager, changes: readonly Change[]): Promise<void> {
    const events = changes.map((change): AuditEvent => ({
      id: newId(),
      at: new Date(),
      clientId: change.clientId ?? null,
      actorKind: change.actor?.kind ?? 'system',
      actorId: change.actor?.id ?? null,
      actorName: change.actor?.email ?? change.actor?.name ?? 'system',
      action: change.action,
      subjectKind: change.subject[0],
      subjectId: change.subject[1],
      before: change.before ?? null,
      after: change.after ?? null,
      requestId: currentRequestId(),
    }));
    if (events.length > 0) await this.repository.insert(events, manager);
  }

  async list(scope: ClientScope, query: PageQuery): Promise<Page<AuditEvent>> {
    const before = decodeCursor(query.cursor, isUuidText);
    const rows = await this.repository.findOfClient(scope, before, query.limit + 1);
    return toPage(rows, query.limit, (event) => event.id);
  }
}
