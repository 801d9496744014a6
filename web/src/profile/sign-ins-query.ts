import { infiniteQueryOptions } from '@tanstack/react-query';
import { adminApi, body, type Schemas } from '../api/client';

export type SignIn = Schemas['SignInDto'];

export const signInsQuery = infiniteQueryOptions({
  queryKey: ['sign-ins'],
  queryFn: ({ pageParam, signal }) =>
    body(adminApi.GET('/auth/sign-ins', { params: { query: { limit: 50, cursor: pageParam } }, signal })),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: (page) => page.nextCursor ?? undefined,
});
