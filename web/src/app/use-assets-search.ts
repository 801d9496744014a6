import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback } from 'react';
import type { AssetsSearch } from './search-params';

export type SetAssetsSearch = (change: Partial<AssetsSearch>, options?: { replace?: boolean }) => void;

/** The search parameters of the assets page, on either side. `set` keeps the parameters that it is not given. */
export function useAssetsSearch(): [AssetsSearch, SetAssetsSearch] {
  const search: AssetsSearch = useSearch({ strict: false });
  const navigate = useNavigate();
  const set = useCallback<SetAssetsSearch>(
    (change, options) =>
      void navigate({
        to: '.',
        search: (previous: AssetsSearch) => ({ ...previous, ...change }),
        replace: options?.replace ?? false,
        resetScroll: false,
      }),
    [navigate],
  );
  return [search, set];
}
