import { infiniteQueryOptions } from '@tanstack/react-query';
import { adminApi, body } from '../../api/client';
import { scopeKey, type Scope } from '../../scope/scope';

export const auditQuery = (scope: Scope) =>
  infiniteQueryOptions({
    queryKey: scopeKey(scope, 'audit'),
    queryFn: ({ pageParam, signal }) => {
      const params = { path: { clientId: scope.clientId }, query: { limit: 200, cursor: pageParam } };
      return body(adminApi.GET('/admin/clients/{clientId}/audit', { params, signal }));
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
  });

/** What happened to one asset. */
export const assetActivityQuery = (scope: Scope, assetId: string) =>
  infiniteQueryOptions({
    queryKey: scopeKey(scope, 'asset', assetId, 'activity'),
    queryFn: ({ pageParam, signal }) => {
      const query = { assetId, limit: 10, cursor: pageParam };
      const params = { path: { clientId: scope.clientId }, query };
      return body(adminApi.GET('/admin/clients/{clientId}/audit', { params, signal }));
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
  });
