import { useQuery, useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, use, useCallback, useMemo, useState } from 'react';
import { type Scope, useScope } from '../scope/scope';
import { type FolderTree, folderTree } from './folder-tree';
import { SelectionStore } from './selection-store';
import { AssetReader } from './asset-reader';
import { LibraryCache } from './library-cache';
import type { Recent } from './recent';
import { useRecent } from './use-recent';
import { type CachedPage, firstPageQuery, foldersQuery } from './library-queries';
import { isNarrowed, type LibrarySearch, type Listing, listingOf } from './library-search';
import { type SetLibrarySearch, useLibrarySearch } from './use-library-search';

export interface Library {
  readonly scope: Scope;
  readonly search: LibrarySearch;
  readonly listing: Listing;
  setSearch: SetLibrarySearch;
  readonly first: CachedPage | undefined;
  /** Shows the previous listing while the next one is loading. */
  readonly isChanging: boolean;
  readonly error: Error | null;
  retry: () => void;
  readonly tree: FolderTree | undefined;
  /** Only in the view of the latest uploads. */
  readonly recent: Recent | undefined;
  readonly reader: AssetReader;
  readonly cache: LibraryCache;
  readonly selection: SelectionStore;
}

const LibraryContext = createContext<Library | null>(null);

export function useLibrary(): Library {
  const library = use(LibraryContext);
  if (!library) throw new Error('useLibrary() needs a <LibraryProvider> above it');
  return library;
}

export function LibraryProvider({ children }: { children: ReactNode }) {
  const scope = useScope();
  const client = useQueryClient();
  const [search, setSearch] = useLibrarySearch();
  const key = JSON.stringify(listingOf(search));
  const listing = useMemo(() => JSON.parse(key) as Listing, [key]);
  const query = useQuery(firstPageQuery(scope, listing));
  const folders = useQuery(foldersQuery(scope));
  const [selection] = useState(() => new SelectionStore());

  const tree = useMemo(() => folders.data && folderTree(folders.data), [folders.data]);
  const cache = useMemo(() => new LibraryCache(client, scope.basePath), [client, scope]);
  const refetch = query.refetch;
  const retry = useCallback(() => void refetch(), [refetch]);
  // The previous listing stays while the user types a search; a different folder starts with placeholders.
  const keepsLast = query.isPlaceholderData && isSamePlace(query.data, listing);
  const last = keepsLast ? query.data : undefined;
  const first = query.isPlaceholderData && !keepsLast ? undefined : query.data;
  const recent = useRecent({ scope, listing, first, isChanging: keepsLast });
  const order = recent?.order;
  const reader = useMemo(
    () => new AssetReader(client, scope.basePath, listing, last, order),
    [client, scope, listing, last, order],
  );
  const library: Library = {
    scope,
    search,
    listing,
    setSearch,
    first,
    isChanging: keepsLast,
    error: query.error,
    retry,
    tree,
    recent,
    reader,
    cache,
    selection,
  };
  return <LibraryContext value={library}>{children}</LibraryContext>;
}

function isSamePlace(page: CachedPage | undefined, listing: Listing): boolean {
  return page !== undefined && (page.folder?.folderId ?? undefined) === listing.folder && isNarrowed(listing);
}
