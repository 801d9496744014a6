import { useQuery } from '@tanstack/react-query';
import { Suspense, useEffect } from 'react';
import { lazyWithTexts } from '../../i18n/lazy-with-texts';
import { missingAsset } from '../../missing/missing-problem';
import { useAssetCommands } from '../actions/asset-commands';
import { assetQuery } from '../../library/library-queries';
import { useLibrary } from '../../library/use-library';
import { useLinkedPlace } from '../../library/use-linked-place';
import { chooseOnly, chooseUnlisted } from '../../library/selection';

const MissingAsset = lazyWithTexts(() => import('../../missing/MissingAsset'));

/** Selects the asset that a link leads to and shows its details. Its id then leaves the address. */
export default function LinkedDetails({ assetId }: { assetId: string }) {
  const { scope, cache, selection, setSearch } = useLibrary();
  const { setDetailsOpen } = useAssetCommands();
  const { data: asset, error } = useQuery({
    ...assetQuery(scope, assetId),
    initialData: () => cache.find(assetId),
    initialDataUpdatedAt: 0,
  });
  const missing = missingAsset(error);
  const place = useLinkedPlace(asset);
  // The details explain any other error and offer to try again.
  const isUnknown = error !== null && !missing && !asset;
  const id = asset?.assetId ?? assetId;
  const isReady = isUnknown || place !== undefined;
  useEffect(() => {
    if (!isReady || missing) return;
    if (typeof place === 'number') {
      selection.choose(chooseOnly(place, id), place);
      selection.focusGrid();
    } else selection.choose(chooseUnlisted(id));
    setDetailsOpen(true);
    setSearch({ details: undefined, at: undefined }, { replace: true });
  }, [id, isReady, missing, place, selection, setDetailsOpen, setSearch]);
  if (!missing) return null;
  return (
    <Suspense>
      <MissingAsset
        {...missing}
        onClose={() => setSearch({ details: undefined, at: undefined }, { replace: true })}
      />
    </Suspense>
  );
}
