import { infiniteQueryOptions } from '@tanstack/react-query';
import { adminApi, body, type Schemas } from '../../api/client';

export type User = Schemas['UserDto'];

export const usersQuery = infiniteQueryOptions({
  queryKey: ['users'],
  queryFn: ({ pageParam, signal }) =>
    body(adminApi.GET('/admin/users', { params: { query: { limit: 100, cursor: pageParam } }, signal })),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: (page) => page.nextCursor ?? undefined,
});
