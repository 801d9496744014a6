import { useCallback, useState } from 'react';
import { apiFor } from '../../api/client';
import { ApiProblem } from '../../api/problem';
import { recounted } from '../../folders/folder-tree';
import { useTranslations } from '../../i18n';
import { useRestore } from '../../trash/use-restore';
import { useProblemToast } from '../../ui/use-problem-toast';
import { useAssetFormats } from '../formats';
import type { Usage } from '../library/asset-types';
import type { Library } from '../library/use-library';
import { runBulk } from './bulk';
import { countByFolder, type Places } from './chosen-assets';
import { startAction, useUndoToast } from './undo';

/** References use some of the assets or folders to be trashed. */
export interface InUse {
  readonly usages: readonly Usage[];
  readonly usageCount: number;
  /** The assets that no reference uses, which can be trashed without confirmation. */
  readonly others: Places | null;
  force: () => void;
}

export function useTrashAssets({ scope, cache, selection }: Library, onInUse: (inUse: InUse) => void) {
  const t = useTranslations('assets');
  const formats = useAssetFormats();
  const problemToast = useProblemToast();
  const restoreBatches = useRestore();
  const undoToast = useUndoToast();

  return useCallback(
    async function trash(places: Places, force = false): Promise<void> {
      if (places.size === 0) return;
      selection.clear();
      const started = startAction();
      await cache.stopFetching();
      const restore = cache.snapshot();
      cache.removeAssets(new Set(places.keys()), () => true);
      cache.changeFolders((list) => recounted(list, countByFolder(places)));
      try {
        const action = { action: 'trash', ...(force ? { force } : {}) } as const;
        const batchIds = await runBulk(apiFor(scope.basePath), [...places.keys()], action);
        const title = t('trash.done', { count: places.size, number: formats.number(places.size) });
        undoToast({ title }, () => void restoreBatches(batchIds), started);
      } catch (error) {
        restore();
        const inUse = inUseOf(error, places);
        if (inUse) onInUse({ ...inUse, force: () => void trash(places, true) });
        else problemToast(error, t('trash.failed'));
      } finally {
        void cache.refetch('assets', 'folders', 'trash');
      }
    },
    [cache, formats, onInUse, problemToast, restoreBatches, scope, selection, t, undoToast],
  );
}

/** The usages in the problem; null if it is a different problem. */
export function inUseOf(error: unknown, places: Places | null): Omit<InUse, 'force'> | null {
  if (!(error instanceof ApiProblem)) return null;
  const {
    usages = [],
    usageCount,
    results = [],
  } = error.document as {
    usages?: Usage[];
    usageCount?: number;
    results?: { assetId: string; ok: boolean; code?: string }[];
  };
  const used = new Set(results.filter(({ code }) => code === 'asset_in_use').map(({ assetId }) => assetId));
  if (error.code !== 'asset_in_use' && used.size === 0) return null;
  const others = places && new Map([...places].filter(([id]) => !used.has(id)));
  return {
    usages,
    usageCount: usageCount ?? usages.length,
    others: others && others.size > 0 ? others : null,
  };
}

export function useInUse() {
  const [inUse, setInUse] = useState<InUse | null>(null);
  return { inUse, setInUse, close: useCallback(() => setInUse(null), []) };
}
