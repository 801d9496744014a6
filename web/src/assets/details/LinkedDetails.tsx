import { useQuery } from '@tanstack/react-query';
import { Suspense, useEffect } from 'react';
import { lazyWithTexts } from '../../i18n/lazy-with-texts';
import { missingAsset } from '../../missing/missing-problem';
import { useAssetCommands } from '../actions/asset-commands';
import { assetQuery } from '../../library/library-queries';
import { useLibrary } from '../../library/use-library';
import { chooseOnly } from '../../library/selection';

const MissingAsset = lazyWithTexts(() => import('../../missing/MissingAsset'));

/** Selects the asset that a link leads to and shows its details. Its id then leaves the address. */
export default function LinkedDetails({ assetId }: { assetId: string }) {
  const { scope, cache, reader, selection, setSearch } = useLibrary();
  const { setDetailsOpen } = useAssetCommands();
  const { isPending, error } = useQuery({
    ...assetQuery(scope, assetId),
    initialData: () => cache.find(assetId),
    initialDataUpdatedAt: 0,
  });
  const missing = missingAsset(error);
  // The details explain any other error and offer to try again.
  const isReady = !isPending && !missing;
  useEffect(() => {
    if (!isReady) return;
    const place = reader.indexOf(assetId);
    selection.choose(chooseOnly(place ?? 0, assetId), place ?? 0);
    setDetailsOpen(true);
    setSearch({ details: undefined }, { replace: true });
  }, [assetId, isReady, reader, selection, setDetailsOpen, setSearch]);
  if (!missing) return null;
  return (
    <Suspense>
      <MissingAsset {...missing} onClose={() => setSearch({ details: undefined }, { replace: true })} />
    </Suspense>
  );
}
