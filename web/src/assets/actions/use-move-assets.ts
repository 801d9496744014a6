import { useCallback } from 'react';
import { apiFor } from '../../api/client';
import { recounted } from '../../library/folder-tree';
import { useTranslations } from '../../i18n';
import { useProblemToast } from '../../ui/use-problem-toast';
import { useAssetFormats } from '../../library/formats';
import { coversBelow } from '../../library/library-search';
import type { Library } from '../../library/use-library';
import { runBulk } from './bulk';
import type { Places } from '../../library/asset-types';
import { byFolder, countByFolder } from './places';
import { startAction, useUndoToast } from '../../ui/undo';

/** Moves assets and shows it immediately, with undo. */
export function useMoveAssets({ scope, cache, tree, selection }: Library) {
  const t = useTranslations('assets');
  const formats = useAssetFormats();
  const problemToast = useProblemToast();
  const undoToast = useUndoToast();

  const place = useCallback(
    async (places: Places, folderId: string | null): Promise<boolean> => {
      const ids = [...places.keys()];
      await cache.stopFetching();
      const restore = cache.snapshot();
      const moved = new Set(ids);
      cache.removeAssets(moved, (listing) => !coversBelow(listing) && (listing.folder ?? null) !== folderId);
      cache.changeAssets(moved, (asset) => ({ ...asset, folderId }));
      cache.changeFolders((list) => recounted(list, countByFolder(places), folderId));
      try {
        await runBulk(apiFor(scope.basePath), ids, { action: 'move', folderId });
        return true;
      } catch (error) {
        restore();
        problemToast(error, t('move.failed'));
        return false;
      } finally {
        void cache.refetch('assets', 'folders');
      }
    },
    [cache, problemToast, scope, t],
  );

  return useCallback(
    async (places: Places, folderId: string | null): Promise<void> => {
      const moving: Places = new Map([...places].filter(([, from]) => from !== folderId));
      if (moving.size === 0) return;
      selection.clear();
      const started = startAction();
      if (!(await place(moving, folderId))) return;
      const folder = folderId === null ? t('top') : (tree?.byId.get(folderId)?.name ?? '');
      const undo = async () => {
        for (const [from, ids] of byFolder(moving))
          await place(new Map(ids.map((id) => [id, folderId])), from);
      };
      const title = t('move.done', { count: moving.size, number: formats.number(moving.size), folder });
      undoToast({ title }, () => void undo(), started);
    },
    [formats, place, selection, t, tree, undoToast],
  );
}
