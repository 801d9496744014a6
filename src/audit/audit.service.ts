import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { ClientScope, Principal } from '../access/principal.js';
import { currentRequestId } from '../common/http/request-context.js';
import { newId } from '../common/ids.js';
import { decodeCursor, isUuidText, type Page, toPage } from '../common/paging/page.js';
import type { AuditEvent } from './audit-event.js';
import { type AuditSubject, AuditSubjectsRepository } from './audit-subjects.repository.js';
import type { AuditQuery } from './audit.dto.js';
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

export interface NamedEvent {
  readonly event: AuditEvent;
  readonly subject: AuditSubject;
}

@Injectable()
export class AuditService {
  constructor(
    private readonly repository: AuditRepository,
    private readonly subjects: AuditSubjectsRepository,
  ) {}

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

  /** Newest first. */
  async list(scope: ClientScope, { assetId, cursor, limit }: AuditQuery): Promise<Page<NamedEvent>> {
    const before = decodeCursor(cursor, isUuidText);
    const rows = await (assetId === undefined
      ? this.repository.findOfClient(scope, before, limit + 1)
      : this.repository.findOfAsset(scope, assetId, before, limit + 1));
    const { items, nextCursor } = toPage(rows, limit, (event) => event.id);
    const subjects = await this.subjects.find(scope, items);
    return { items: items.map((event, index) => ({ event, subject: subjects[index]! })), nextCursor };
  }
}
