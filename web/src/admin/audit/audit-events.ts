import type { Schemas } from '../../api/client';
import type { ActivitySearch } from './activity-search';

export type AuditEvent = Schemas['AuditEventDto'];

export const kindOf = ({ action }: AuditEvent) => action.split('.', 1)[0] ?? action;
export const actorKey = ({ actor }: AuditEvent) => actor.id ?? actor.kind;

export function matches(event: AuditEvent, { kind, actor }: ActivitySearch): boolean {
  return (kind === undefined || kindOf(event) === kind) && (actor === undefined || actorKey(event) === actor);
}
