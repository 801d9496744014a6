import { useCallback } from 'react';
import { apiFor } from '../../api/client';
import { recounted } from '../../library/folder-tree';
import { useTranslations } from '../../i18n';
import { useRestore } from '../../trash/use-restore';
import { useProblemToast } from '../../ui/use-problem-toast';
import { useAssetFormats } from '../../library/formats';
import type { Library } from '../../library/use-library';
import { runBulk } from './bulk';
import { type InUse, inUseOf } from '../../usages/in-use';
import type { Places } from '../../library/asset-types';
import { countByFolder } from './places';
import { startAction, useUndoToast } from '../../ui/undo';

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
