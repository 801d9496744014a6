import { useCallback, useEffect, useRef, useState } from 'react';
import type { Asset } from '../../library/asset-types';
import type { AssetReader } from '../../library/asset-reader';
import type { Selection } from '../../library/selection';
import { useLibrary } from '../../library/use-library';
import { chosenInFull } from './chosen-assets';

interface Chosen {
  /** In the order of the page. Undefined while they are loading. */
  readonly assets?: readonly Asset[];
  readonly error?: unknown;
}

/** The selected assets, loaded once. */
export function useChosen(selection: Selection): Chosen & { readonly retry: () => void } {
  const library = useLibrary();
  const latest = useRef(library);
  latest.current = library;
  const [chosen, setChosen] = useState<Chosen>({});
  const load = useCallback(async () => {
    setChosen({});
    try {
      const assets = await chosenInFull(latest.current, selection);
      // Ranges are read in the order of the page.
      const isOrdered = selection.spans.length > 0;
      setChosen({ assets: isOrdered ? assets : inPageOrder(latest.current.reader, assets) });
    } catch (error) {
      setChosen({ error });
    }
  }, [selection]);
  useEffect(() => void load(), [load]);
  return { ...chosen, retry: () => void load() };
}

/** Those that are not on a loaded page come last. */
function inPageOrder(reader: AssetReader, assets: readonly Asset[]): Asset[] {
  const positions = reader.positions();
  const positionOf = ({ assetId }: Asset) => positions.get(assetId) ?? Number.MAX_SAFE_INTEGER;
  return [...assets].sort((a, b) => positionOf(a) - positionOf(b));
}
