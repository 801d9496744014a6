import { useEffect } from 'react';
import { useAssetCommands } from '../actions/asset-commands';
import { useLibrary } from '../library/use-library';
import { chooseOnly } from '../selection/selection';

/** Selects the asset that a link leads to and shows its details. Its id then leaves the address. */
export default function LinkedDetails({ assetId }: { assetId: string }) {
  const { reader, selection, setSearch } = useLibrary();
  const { setDetailsOpen } = useAssetCommands();
  useEffect(() => {
    const place = reader.indexOf(assetId);
    selection.choose(chooseOnly(place ?? 0, assetId), place ?? 0);
    setDetailsOpen(true);
    setSearch({ details: undefined }, { replace: true });
  }, [assetId, reader, selection, setDetailsOpen, setSearch]);
  return null;
}
