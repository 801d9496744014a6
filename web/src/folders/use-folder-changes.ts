import { useMemo } from 'react';
import { startAction, useUndoToast } from '../ui/undo';
import { type InUse, inUseOf } from '../usages/in-use';
import type { Folder } from '../library/asset-types';
import { useLibrary } from '../library/use-library';
import { apiFor, body } from '../api/client';
import { useTranslations } from '../i18n';
import { useRestore } from '../trash/use-restore';
import { useProblemToast } from '../ui/use-problem-toast';
import { ancestorsOf, isWithin, renamed, reparented, without } from '../library/folder-tree';

/** Renames, moves and trashes folders. Shows the change immediately and reverts it if the API rejects it. */
export function useFolderChanges(onInUse: (inUse: InUse) => void) {
  const { scope, cache, tree, listing, setSearch } = useLibrary();
  const t = useTranslations('folders');
  const problemToast = useProblemToast();
  const restoreBatches = useRestore();
  const undoToast = useUndoToast();

  return useMemo(() => {
    const api = apiFor(scope.basePath);
    const optimistically = async <T>(change: () => void, send: () => Promise<T>): Promise<T> => {
      await cache.stopFetching();
      const restore = cache.snapshot();
      change();
      try {
        return await send();
      } catch (error) {
        restore();
        throw error;
      } finally {
        void cache.refetch('folders', 'assets');
      }
    };

    const place = (folderId: string, parentId: string | null) =>
      optimistically(
        () => {
          cache.changeFolders((list) => reparented(list, folderId, parentId));
          cache.removeFolder(folderId);
        },
        () => api.PATCH('/assets/folders', { body: { folderId, parentId } }),
      );

    return {
      async rename({ folderId }: Folder, name: string): Promise<void> {
        try {
          await optimistically(
            () => {
              cache.changeFolders((list) => renamed(list, folderId, name));
              cache.renameFolder(folderId, name);
            },
            () => api.PATCH('/assets/folders', { body: { folderId, name } }),
          );
        } catch (error) {
          problemToast(error, t('rename.failed'));
        }
      },

      async move(folderId: string, parentId: string | null): Promise<void> {
        const folder = tree?.byId.get(folderId);
        if (!folder || folder.parentId === parentId) return;
        const started = startAction();
        try {
          await place(folderId, parentId);
          const to = parentId === null ? t('top') : (tree?.byId.get(parentId)?.name ?? '');
          const undo = () =>
            void place(folderId, folder.parentId).catch((error: unknown) =>
              problemToast(error, t('move.failed')),
            );
          undoToast({ title: t('move.done', { name: folder.name, folder: to }) }, undo, started);
        } catch (error) {
          problemToast(error, t('move.failed'));
        }
      },

      async trash(folder: Folder, force = false): Promise<void> {
        const { folderId, name } = folder;
        const started = startAction();
        const isInside = tree !== undefined && isWithin(tree, listing.folder ?? null, folderId);
        const parent = tree && ancestorsOf(tree, folderId).at(-1);
        try {
          const query = { folderId, ...(force ? { force } : {}) };
          const trashed = await optimistically(
            () => {
              cache.changeFolders((list) => without(list, folderId));
              cache.removeFolder(folderId);
            },
            () => body(api.DELETE('/assets/folders', { params: { query }, body: {} })),
          );
          if (isInside) setSearch({ folder: parent?.folderId });
          const { trashedAssets, batchId } = trashed;
          undoToast(
            { title: t('trash.done', { name }), description: t('trash.contents', { count: trashedAssets }) },
            () => void restoreBatches([batchId]),
            started,
          );
        } catch (error) {
          const inUse = inUseOf(error, null);
          if (inUse) onInUse({ ...inUse, force: () => void this.trash(folder, true) });
          else problemToast(error, t('trash.failed'));
        } finally {
          void cache.refetch('trash');
        }
      },
    };
  }, [cache, listing.folder, onInUse, problemToast, restoreBatches, scope, setSearch, t, tree, undoToast]);
}
