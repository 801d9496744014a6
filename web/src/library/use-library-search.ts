import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback } from 'react';
import type { LibrarySearch } from './library-search';

export type SetLibrarySearch = (change: Partial<LibrarySearch>, options?: { replace?: boolean }) => void;

/** The state of the library in its URL, on either side. `set` keeps the parameters that it is not given. */
export function useLibrarySearch(): [LibrarySearch, SetLibrarySearch] {
  const search: LibrarySearch = useSearch({ strict: false });
  const navigate = useNavigate();
  const set = useCallback<SetLibrarySearch>(
    (change, options) =>
      void navigate({
        to: '.',
        search: (previous: LibrarySearch) => ({ ...previous, ...change }),
        replace: options?.replace ?? false,
        resetScroll: false,
      }),
    [navigate],
  );
  return [search, set];
}
