import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { apiFor } from '../api/client';
import { useScope } from '../scope/scope';
import { closeUndo } from '../ui/undo';
import { useTranslations } from '../i18n';
import { showToast } from '../ui/toasts';
import { useProblemToast } from '../ui/use-problem-toast';

interface BatchIn {
  readonly basePath: string;
  readonly batchId: string;
}

/** Restores batches from the trash of the library that the page shows. */
export function useRestore(): (batchIds: readonly string[]) => Promise<boolean> {
  const { basePath } = useScope();
  const restore = useRestoreIn();
  return useCallback(
    (batchIds) => restore(batchIds.map((batchId) => ({ basePath, batchId }))),
    [basePath, restore],
  );
}

/** The same for any library. */
export function useRestoreIn(): (batches: readonly BatchIn[]) => Promise<boolean> {
  const client = useQueryClient();
  const t = useTranslations('assets.trash');
  const problemToast = useProblemToast();
  return useCallback(
    async (batches) => {
      try {
        for (const { basePath, batchId } of batches)
          await apiFor(basePath).POST('/assets/trash/restore', { body: { batchId } });
        closeUndo();
        showToast({ tone: 'success', title: t('restored') });
        return true;
      } catch (error) {
        problemToast(error, t('restoreFailed'));
        return false;
      } finally {
        for (const basePath of new Set(batches.map((batch) => batch.basePath)))
          for (const kind of ['assets', 'folders', 'trash'])
            void client.invalidateQueries({ queryKey: [basePath, kind] });
      }
    },
    [client, problemToast, t],
  );
}
