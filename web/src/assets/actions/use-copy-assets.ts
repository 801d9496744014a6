import { type ReactNode, useCallback, useRef } from 'react';
import { useTranslations } from '../../i18n';
import type { Asset } from '../../library/asset-types';
import { useAssetFormats } from '../../library/formats';
import { libraryLink } from '../../library/library-links';
import { useCopy } from '../../library/use-copy';
import type { Library } from '../../library/use-library';

export type CopyCommand = 'copyLink' | 'copyId';

type CopyAssets = (command: CopyCommand, assets: readonly Asset[], shownIn?: 'asset' | 'details') => void;

/** Copies one line for each asset, in the order in which they are listed. A link opens the list as it is seen now. */
export function useCopyAssets(library: Library): [CopyAssets, ReactNode] {
  const t = useTranslations('assets.copied');
  const formats = useAssetFormats();
  const [copy, dialog] = useCopy();
  const latest = useRef(library);
  latest.current = library;
  const copyAssets = useCallback<CopyAssets>(
    (command, assets, shownIn = 'details') => {
      const { scope, listing, reader } = latest.current;
      const places = reader.places();
      const placeOf = ({ assetId }: Asset) => places.get(assetId) ?? Number.MAX_SAFE_INTEGER;
      const lines = assets
        .toSorted((one, other) => placeOf(one) - placeOf(other))
        .map((asset) => {
          if (command === 'copyId') return asset.assetRef;
          const at = places.get(asset.assetId);
          return libraryLink(scope, { ...listing, [shownIn]: asset.assetId, at });
        });
      const count = lines.length;
      if (count > 0) void copy(lines.join('\n'), t(command, { count, number: formats.number(count) }));
    },
    [copy, formats, t],
  );
  return [copyAssets, dialog];
}
