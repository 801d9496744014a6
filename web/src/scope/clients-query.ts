import { queryOptions, useQuery } from '@tanstack/react-query';
import { adminApi, body, type Schemas } from '../api/client';
import { ApiProblem } from '../api/problem';
import { compareNaturally } from '../i18n/natural-order';

export type Client = Schemas['ClientDto'];

/** All clients that the user has access to. */
export const clientsQuery = queryOptions({
  queryKey: ['clients'],
  staleTime: 60_000,
  queryFn: async ({ signal }) => {
    const clients: Client[] = [];
    let cursor: string | undefined;
    do {
      const page = await body(
        adminApi.GET('/admin/clients', { params: { query: { limit: 200, cursor } }, signal }),
      );
      clients.push(...page.clients);
      cursor = page.nextCursor ?? undefined;
    } while (cursor);
    return clients.sort((one, other) => compareNaturally(one.name, other.name));
  },
});

/** One client, with the state of its integrations. Part of the client's data, so that events refresh it. */
export const clientQuery = (clientId: string) =>
  queryOptions({
    queryKey: [`/admin/clients/${encodeURIComponent(clientId)}`, 'record'] as const,
    queryFn: ({ signal }) =>
      body(adminApi.GET('/admin/clients/{clientId}', { params: { path: { clientId } }, signal })),
  });

/** The client does not exist, or the user has no access to it, possibly no longer. */
export function useIsClientMissing(clientId: string | undefined): boolean {
  const { error } = useQuery({ ...clientQuery(clientId ?? ''), enabled: clientId !== undefined });
  return error instanceof ApiProblem && error.code === 'client_not_found';
}
