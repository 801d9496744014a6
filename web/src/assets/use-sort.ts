import { ASSET_SORTS, type AssetSort } from '../api/values';
import { useLibrary } from '../library/use-library';

/** How the assets are sorted, and what changes it: a menu's key. */
export function useSort(): [AssetSort, (key: unknown) => void] {
  const { search, setSearch } = useLibrary();
  return [
    search.sort ?? 'newest',
    (key) =>
      setSearch({ sort: ASSET_SORTS.find((each) => each === key && each !== 'newest') }, { replace: true }),
  ];
}
