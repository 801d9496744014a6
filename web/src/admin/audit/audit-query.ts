import { infiniteQueryOptions } from '@tanstack/react-query';
import { authorizedFetch } from '../../api/authorized-fetch';
import { adminApi, apiFor, body, type Schemas } from '../../api/client';
import { scopeKey, type Scope } from '../../scope/scope';
import { type ActivitySearch, auditParameters } from './activity-search';

type AuditPage = Schemas['AuditPageDto'];

const paging = {
  initialPageParam: undefined as string | undefined,
  getNextPageParam: (page: AuditPage) => page.nextCursor ?? undefined,
};

/** `scope`: null for the activity of everything. */
export const auditQuery = (scope: Scope | null, search: ActivitySearch) =>
  infiniteQueryOptions({
    ...paging,
    queryKey: [...(scope ? scopeKey(scope, 'audit') : ['audit']), search],
    queryFn: ({ pageParam, signal }) => {
      const params = { query: { ...auditParameters(search), limit: 200, cursor: pageParam } };
      return body(
        scope
          ? apiFor(scope.basePath).GET('/audit', { params, signal })
          : adminApi.GET('/admin/audit', { params, signal }),
      ) as Promise<AuditPage>;
    },
  });

/** What happened to one asset. */
export const assetActivityQuery = (scope: Scope, assetId: string) =>
  infiniteQueryOptions({
    ...paging,
    queryKey: scopeKey(scope, 'asset', assetId, 'activity'),
    queryFn: ({ pageParam, signal }) => {
      const params = { path: { assetId }, query: { limit: 10, cursor: pageParam } };
      return body(apiFor(scope.basePath).GET('/assets/{assetId}/activity', { params, signal }));
    },
  });

/** All events that match, as a CSV file with its name. */
export async function fetchCsv(
  scope: Scope | null,
  search: ActivitySearch,
): Promise<{ file: Blob; name: string }> {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(auditParameters(search)))
    for (const each of [value ?? []].flat()) query.append(name, each);
  const url = new URL(`${scope?.basePath ?? '/admin'}/audit?${query.toString()}`, location.origin);
  const response = await authorizedFetch(new Request(url, { headers: { accept: 'text/csv' } }));
  const name = /filename="?([^";]+)/.exec(response.headers.get('Content-Disposition') ?? '')?.[1];
  return { file: await response.blob(), name: name ?? 'activity.csv' };
}
