import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Principal } from '../access/principal.js';
import { currentRequestId } from '../common/http/request-context.js';
import { newId } from '../common/ids.js';
import type { AuditEvent } from './audit-event.js';
import { AuditRepository } from './audit.repository.js';

export interface Change {
  /** Null if the service itself acts, for example at startup or in the background. */
  readonly actor: Pick<Principal, 'kind' | 'id' | 'name' | 'email'> | null;
  readonly clientId?: string;
  readonly action: string;
  readonly subject: readonly [kind: string, id: string];
  readonly before?: Record<string, unknown>;
  readonly after?: Record<string, unknown>;
}

/** Records who did what. */
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
}
