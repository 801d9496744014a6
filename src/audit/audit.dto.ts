import type { ActorKind, AuditEvent } from '../database/entities/audit-event.entity.js';

export class ActorDto {
  /** @example "user" */
  kind: ActorKind;
  id: string | null;
  /** @example "operator@example.com" */
  name: string;
}

export class AuditEventDto {
  eventId: string;
  at: Date;
  actor: ActorDto;
  /** @example "client.update" */
  action: string;
  /** @example "client" */
  subjectKind: string;
  /** @example "demo" */
  subjectId: string;
  before: Record<string, unknown> | null;
  after: Record<string, unknown> | null;
  requestId: string | null;

  static from(event: AuditEvent): AuditEventDto {
    return {
      eventId: event.id,
      at: event.at,
      actor: { kind: event.actorKind, id: event.actorId, name: event.actorName },
      action: event.action,
      subjectKind: event.subjectKind,
      subjectId: event.subjectId,
      before: event.before,
      after: event.after,
      requestId: event.requestId,
    };
  }
}

export class AuditPageDto {
  events: AuditEventDto[];
  nextCursor: string | null;
}
