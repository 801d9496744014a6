import { useEffect, useState } from 'react';
import type { Asset } from './asset-types';
import { coversBelow } from './library-search';
import { useLibrary } from './use-library';

/**
 * The position of an asset that a link leads to; null if it is not in the listing, undefined until that is known. Goes to the folder of
 * the asset, which may have been moved since.
 */
export function useLinkedPlace(asset: Asset | undefined): number | null | undefined {
  const { first, listing, reader, search, setSearch } = useLibrary();
  const [found, setFound] = useState<{ reader: unknown; place: number | null } | null>(null);
  const { assetId, folderId = null } = asset ?? {};
  const isElsewhere = asset !== undefined && !coversBelow(listing) && (listing.folder ?? null) !== folderId;
  const isReady = assetId !== undefined && !isElsewhere && first !== undefined;
  const isFound = found !== null;
  const near = search.at ?? 0;
  useEffect(() => {
    // Once it has been shown, the page stays when somebody moves the asset.
    if (isElsewhere && !isFound)
      setSearch({ folder: folderId ?? undefined, at: undefined }, { replace: true });
  }, [folderId, isElsewhere, isFound, setSearch]);
  useEffect(() => {
    if (!isReady) return;
    let isCurrent = true;
    void reader.locate(assetId, near).then((place) => isCurrent && setFound({ reader, place }));
    return () => {
      isCurrent = false;
    };
  }, [assetId, isReady, near, reader]);
  return found?.reader === reader ? found.place : undefined;
}
