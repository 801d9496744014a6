import { type UseInfiniteQueryResult, useInfiniteQuery } from '@tanstack/react-query';
import { scopeKey, useScope } from '../../scope/scope';

/** Agents and operators report at any time; nothing notifies the pages. */
const REFRESH_MS = 15_000;
/** Nearly always all of them. */
const PAGE_SIZE = 200;

interface Reports<Row> {
  readonly rows: readonly Row[] | undefined;
  readonly pages: UseInfiniteQueryResult;
}

/** What has been reported for the client, page by page. */
export function useReports<Row>(
  name: string,
  fetchPage: (
    request: { path: { clientId: string }; query: { cursor?: string; limit: number } },
    signal: AbortSignal,
  ) => Promise<{ rows: Row[]; nextCursor: string | null }>,
): Reports<Row> {
  const scope = useScope();
  const pages = useInfiniteQuery({
    queryKey: scopeKey(scope, name),
    queryFn: ({ pageParam, signal }) =>
      fetchPage(
        { path: { clientId: scope.clientId }, query: { cursor: pageParam, limit: PAGE_SIZE } },
        signal,
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    refetchInterval: REFRESH_MS,
  });
  return { rows: pages.data?.pages.flatMap(({ rows }) => rows), pages };
}
