import { useMemo } from 'react';
import { type FitFor, isSurface, SURFACES } from '../../api/values';
import { useTranslations } from '../../i18n';
import type { Asset, Verdict } from '../../library/asset-types';
import type { FolderTree } from '../../library/folder-tree';
import { useAssetFormats } from '../../library/formats';
import { coversBelow } from '../../library/library-search';
import { useLibrary } from '../../library/use-library';
import type { CardFolder, CardTexts } from './AssetCard';

/** Looked up once for all cards, because cards use no hooks. */
export function useCardTexts(): CardTexts {
  const t = useTranslations('assets.card');
  const top = useTranslations('folders')('top');
  const formats = useAssetFormats();
  const { listing, tree } = useLibrary();
  const { fitFor, fitVerdict } = listing;
  const namesFolders = coversBelow(listing);
  return useMemo(
    () => ({
      formats,
      loading: t('loading'),
      title: t('title'),
      ...(namesFolders && { folderOf: (asset: Asset) => folderOf(tree, asset, top) }),
      // Chosen by the verdict, they are all alike.
      ...(fitFor &&
        !fitVerdict && {
          badgeOf: (asset: Asset) => (verdictOf(asset, fitFor) === 'fixable' ? t('afterResizing') : null),
        }),
    }),
    [fitFor, fitVerdict, formats, namesFolders, t, top, tree],
  );
}

function folderOf(tree: FolderTree | undefined, { folderId }: Asset, top: string): CardFolder {
  if (folderId === null) return { folderId, name: top, path: top };
  const folder = tree?.byId.get(folderId);
  // Named once the folders are loaded.
  return { folderId, name: folder?.name ?? '…', path: folder?.path ?? '' };
}

function verdictOf({ fitness }: Asset, fitFor: FitFor): Verdict | undefined {
  // A key of one surface sees only the fitness for that one.
  const known: Partial<Asset['fitness']> = fitness;
  if (isSurface(fitFor)) return known[fitFor]?.verdict;
  for (const surface of SURFACES) {
    const channels: Partial<Record<FitFor, Verdict>> | undefined = known[surface]?.channels;
    if (channels && fitFor in channels) return channels[fitFor];
  }
  return undefined;
}
