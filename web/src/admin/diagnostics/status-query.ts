import { queryOptions } from '@tanstack/react-query';
import { adminApi, body } from '../../api/client';

export const statusQuery = queryOptions({
  queryKey: ['status'],
  queryFn: ({ signal }) => body(adminApi.GET('/status', { signal })),
  refetchInterval: 15_000,
});
