import { useQueries, type UseQueryResult } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useSession } from '../api/use-session';
import type { Scope } from '../scope/scope';
import { PAGE_SIZE } from './asset-pages';
import { type CachedPage, pageQuery } from './library-queries';
import type { Listing } from './library-search';
import { type Recent, RECENT_LIMIT, recentOf } from './recent';

interface Options {
  readonly scope: Scope;
  readonly listing: Listing;
  readonly first: CachedPage | undefined;
  /** The first page is that of another listing. */
  readonly isChanging: boolean;
}

/** The latest uploads by day, as far as they are loaded; undefined in any other view. */
export function useRecent({ scope, listing, first, isChanging }: Options): Recent | undefined {
  const { userId } = useSession().user;
  const isOpen = listing.view === 'recent' && first !== undefined;
  const pages = isOpen && !isChanging ? Math.ceil(Math.min(first.total, RECENT_LIMIT) / PAGE_SIZE) : 0;
  const others = useQueries({
    queries: Array.from({ length: Math.max(0, pages - 1) }, (_, n) => pageQuery(scope, listing, n + 1)),
    combine: assetsOf,
  });
  return useMemo(
    () => (isOpen ? recentOf([first.assets, ...others], userId) : undefined),
    [first, isOpen, others, userId],
  );
}

function assetsOf(pages: UseQueryResult<CachedPage>[]): (CachedPage['assets'] | undefined)[] {
  return pages.map(({ data }) => data?.assets);
}
