import { infiniteQueryOptions } from '@tanstack/react-query';
import { adminApi, body, type Schemas } from '../../api/client';

export type ApiKey = Schemas['ApiKeyDto'];

export const apiKeysQuery = infiniteQueryOptions({
  queryKey: ['api-keys'],
  queryFn: ({ pageParam, signal }) =>
    body(adminApi.GET('/admin/api-keys', { params: { query: { limit: 100, cursor: pageParam } }, signal })),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: (page) => page.nextCursor ?? undefined,
});
