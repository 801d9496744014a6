import type { Schemas } from '../../api/client';

export type AuditEvent = Schemas['AuditEventDto'];

export const actorKey = ({ actor }: AuditEvent) => actor.id ?? actor.kind;
