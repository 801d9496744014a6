import { useCallback } from 'react';
import type { Surface } from '../../api/values';
import { apiFor } from '../../api/client';
import { useTranslations } from '../../i18n';
import { showToast } from '../../ui/toasts';
import { useProblemToast } from '../../ui/use-problem-toast';
import { useAssetFormats } from '../formats';
import type { Asset } from '../library/asset-types';
import type { Library } from '../library/use-library';
import { runBulk } from './bulk';
import { withSurface } from '../surfaces/surface-choice';
import { chosenAssets, chosenInFull } from './chosen-assets';

export type ManyChange =
  | { readonly action: 'addTags' | 'removeTags'; readonly tags: string[] }
  | { readonly action: 'switchSurface'; readonly surface: Surface; readonly isOn: boolean };

type BulkChange = Exclude<ManyChange, { action: 'switchSurface' }> | SetSurfaces;
type SetSurfaces = { readonly action: 'setSurfaces'; readonly allowedSurfaces: Surface[] };
type Step = { readonly ids: string[]; readonly change: BulkChange };

/** Changes tags and surfaces of all selected assets together. */
export function useChangeMany(library: Library) {
  const { scope, cache } = library;
  const t = useTranslations('assets');
  const formats = useAssetFormats();
  const problemToast = useProblemToast();
  return useCallback(
    async (change: ManyChange): Promise<void> => {
      const steps = await stepsOf(library, change);
      const count = steps.reduce((sum, { ids }) => sum + ids.length, 0);
      await cache.stopFetching();
      const restore = cache.snapshot();
      for (const step of steps) cache.changeAssets(new Set(step.ids), (asset) => changed(asset, step.change));
      try {
        for (const step of steps) await runBulk(apiFor(scope.basePath), step.ids, step.change);
        showToast({ tone: 'success', title: t('changed', { count, number: formats.number(count) }) });
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

/** A surface is switched for each asset on its own, so that their other surfaces stay as they are. */
async function stepsOf(library: Library, change: ManyChange): Promise<Step[]> {
  if (change.action !== 'switchSurface') return [{ ids: [...(await chosenAssets(library)).keys()], change }];
  const steps = new Map<string, Step>();
  for (const { assetId, allowedSurfaces } of await chosenInFull(library)) {
    const after = withSurface(allowedSurfaces, change.surface, change.isOn);
    if (after === null || String(after) === String(allowedSurfaces)) continue;
    const step = steps.get(String(after));
    if (step) step.ids.push(assetId);
    else
      steps.set(String(after), { ids: [assetId], change: { action: 'setSurfaces', allowedSurfaces: after } });
  }
  return [...steps.values()];
}

function changed(asset: Asset, change: BulkChange): Asset {
  switch (change.action) {
    case 'addTags':
      return { ...asset, tags: [...new Set([...asset.tags, ...change.tags])] };
    case 'removeTags':
      return { ...asset, tags: asset.tags.filter((tag) => !change.tags.includes(tag)) };
    case 'setSurfaces':
      return { ...asset, allowedSurfaces: change.allowedSurfaces };
  }
}
