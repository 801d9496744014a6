import { useCallback, useRef } from 'react';
import type { Surface } from '../../api/values';
import { apiFor } from '../../api/client';
import { useTranslations } from '../../i18n';
import { showToast } from '../../ui/toasts';
import { useProblemToast } from '../../ui/use-problem-toast';
import { useAssetFormats } from '../../library/formats';
import type { Asset } from '../../library/asset-types';
import type { Library } from '../../library/use-library';
import type { Selection } from '../../library/selection';
import { runBulk } from './bulk';
import { withSurface } from '../../library/surface-choice';

export type ManyChange =
  | { readonly action: 'addTags' | 'removeTags'; readonly tags: string[] }
  | { readonly action: 'switchSurface'; readonly surface: Surface; readonly isOn: boolean };

type BulkChange = Exclude<ManyChange, { action: 'switchSurface' }> | SetSurfaces;
type SetSurfaces = { readonly action: 'setSurfaces'; readonly allowedSurfaces: Surface[] };
type Step = { readonly ids: string[]; readonly change: BulkChange };

/**
 * Changes tags and surfaces of all selected assets together. Changes run one after the other, because each depends on
 * what the one before has saved. Resolves to whether it was made.
 */
export function useChangeMany(library: Library) {
  const { scope, cache } = library;
  const t = useTranslations('assets');
  const formats = useAssetFormats();
  const problemToast = useProblemToast();
  const last = useRef<Promise<unknown>>(Promise.resolve());
  const run = useCallback(
    async (change: ManyChange, selection: Selection): Promise<boolean> => {
      let restore = () => {};
      try {
        const steps = await stepsOf(library, selection, change);
        if (!steps) {
          showToast({ title: t('edit.failed'), description: t('edit.atLeastOne') });
          return false;
        }
        const count = steps.reduce((sum, { ids }) => sum + ids.length, 0);
        if (count === 0) return true;
        await cache.stopFetching();
        restore = cache.snapshot();
        for (const step of steps)
          cache.changeAssets(new Set(step.ids), (asset) => changed(asset, step.change));
        for (const step of steps) await runBulk(apiFor(scope.basePath), step.ids, step.change);
        showToast({ tone: 'success', title: t('changed', { count, number: formats.number(count) }) });
        return true;
      } catch (error) {
        restore();
        problemToast(error, t('edit.failed'));
        return false;
      } finally {
        void cache.refetch('assets', 'asset', 'tags');
      }
    },
    [cache, formats, library, problemToast, scope, t],
  );
  return useCallback(
    (change: ManyChange): Promise<boolean> => {
      const { selection } = library.selection.get();
      const done = last.current.then(() => run(change, selection));
      last.current = done;
      return done;
    },
    [library, run],
  );
}

/**
 * A surface is switched for each asset on its own, so that their other surfaces stay as they are. Null if it is the last
 * one of an asset.
 */
async function stepsOf(library: Library, selection: Selection, change: ManyChange): Promise<Step[] | null> {
  const { chosenAssets, chosenInFull } = await import('./chosen-assets');
  if (change.action !== 'switchSurface')
    return [{ ids: [...(await chosenAssets(library, selection)).keys()], change }];
  const steps = new Map<string, Step>();
  for (const { assetId, allowedSurfaces } of await chosenInFull(library, selection)) {
    const after = withSurface(allowedSurfaces, change.surface, change.isOn);
    if (after === null) return null;
    if (String(after) === String(allowedSurfaces)) continue;
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
