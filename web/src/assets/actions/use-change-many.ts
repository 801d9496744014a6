import { useCallback } from 'react';
import { type Surface, SURFACES } from '../../api/values';
import { apiFor } from '../../api/client';
import { useTranslations } from '../../i18n';
import { showToast } from '../../ui/toasts';
import { useProblemToast } from '../../ui/use-problem-toast';
import { useAssetFormats } from '../formats';
import type { Asset } from '../library/asset-types';
import type { Library } from '../library/use-library';
import { runBulk } from './bulk';
import { chosenAssets } from './chosen-assets';

export type ManyChange =
  | { readonly action: 'addTags' | 'removeTags'; readonly tags: string[] }
  | { readonly action: 'setSurfaces'; readonly allowedSurfaces: Surface[] };

/** Changes tags and surfaces of all selected assets together. */
export function useChangeMany(library: Library) {
  const { scope, cache } = library;
  const t = useTranslations('assets');
  const formats = useAssetFormats();
  const problemToast = useProblemToast();
  return useCallback(
    async (change: ManyChange): Promise<void> => {
      const ids = [...(await chosenAssets(library)).keys()];
      await cache.stopFetching();
      const restore = cache.snapshot();
      cache.changeAssets(new Set(ids), (asset) => changed(asset, change));
      try {
        await runBulk(apiFor(scope.basePath), ids, change);
        showToast({
          tone: 'success',
          title: t('changed', { count: ids.length, number: formats.number(ids.length) }),
        });
      } catch (error) {
        restore();
        problemToast(error, t('edit.failed'));
      } finally {
        void cache.refetch('assets', 'asset', 'tags');
      }
    },
    [cache, formats, library, problemToast, scope, t],
  );
}

function changed(asset: Asset, change: ManyChange): Asset {
  switch (change.action) {
    case 'addTags':
      return { ...asset, tags: [...new Set([...asset.tags, ...change.tags])] };
    case 'removeTags':
      return { ...asset, tags: asset.tags.filter((tag) => !change.tags.includes(tag)) };
    case 'setSurfaces':
      return {
        ...asset,
        allowedSurfaces: SURFACES.filter((surface) => change.allowedSurfaces.includes(surface)),
      };
  }
}
