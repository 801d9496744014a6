import { infiniteQueryOptions } from '@tanstack/react-query';
import { adminApi, body, type Schemas } from '../../api/client';
import type { ActivitySearch } from '../../app/search-params';
import { scopeKey, type Scope } from '../../app/scope';

export type AuditEvent = Schemas['AuditEventDto'];

export const auditQuery = (scope: Scope) =>
  infiniteQueryOptions({
    queryKey: scopeKey(scope, 'audit'),
    queryFn: ({ pageParam, signal }) => {
      const params = { path: { clientId: scope.clientId }, query: { limit: 100, cursor: pageParam } };
      return body(adminApi.GET('/admin/clients/{clientId}/audit', { params, signal }));
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
  });

export const kindOf = ({ action }: AuditEvent) => action.split('.', 1)[0] ?? action;
export const actorKey = ({ actor }: AuditEvent) => actor.id ?? actor.kind;

export function matches(event: AuditEvent, { kind, actor }: ActivitySearch): boolean {
  return (kind === undefined || kindOf(event) === kind) && (actor === undefined || actorKey(event) === actor);
}

/** The name of what changed, if the event contains one. */
export function subjectOf({ before, after }: AuditEvent): string | null {
  for (const name of ['title', 'name', 'originalFilename', 'email']) {
    const value = after?.[name] ?? before?.[name];
    if (typeof value === 'string' && value !== '') return value;
  }
  return null;
}
