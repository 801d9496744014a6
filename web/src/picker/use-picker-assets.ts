import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import type { Surface } from '../api/values';
import { apiFor, body } from '../api/client';
import { type Scope, scopeKey } from '../scope/scope';

const PAGE_SIZE = 60;

export interface PickerListing {
  readonly folderId: string | null;
  readonly text: string;
  readonly surface: Surface | undefined;
}

/** The assets in and below a folder that may be used on the surface, optionally filtered by a search. */
export function usePickerAssets(scope: Scope, { folderId, text, surface }: PickerListing) {
  const q = text.trim() || undefined;
  return useInfiniteQuery({
    queryKey: scopeKey(scope, 'assets', 'picker', { folderId, q, surface }),
    queryFn: ({ pageParam, signal }) => {
      const query = {
        folderId: folderId ?? undefined,
        q,
        surface,
        below: true,
        limit: PAGE_SIZE,
        sort: 'newest',
        cursor: pageParam,
      } as const;
      return body(apiFor(scope.basePath).GET('/assets', { params: { query }, signal }));
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    // Results stay while the next ones are loading.
    placeholderData: q === undefined ? undefined : keepPreviousData,
  });
}
