import { queryOptions } from '@tanstack/react-query';
import { adminApi, body, type Schemas } from '../api/client';

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
    return clients.sort((one, other) => one.name.localeCompare(other.name));
  },
});
