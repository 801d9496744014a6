import type { ActorKind, DomainEvent } from '../database/entities/domain-event.entity.js';

/** Who did what, unlike the changes that triggers record in the same table. */
export interface AuditEvent extends Omit<DomainEvent, 'position'> {
  actorKind: ActorKind;
  actorName: string;
  subjectId: string;
}
