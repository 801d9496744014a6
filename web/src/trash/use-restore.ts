import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { apiFor } from '../api/client';
import { useScope } from '../app/scope';
import { useTranslations } from '../i18n';
import { showToast } from '../ui/toasts';
import { useProblemToast } from '../ui/use-problem-toast';

/** Restores batches from the trash. */
export function useRestore(): (batchIds: readonly string[]) => Promise<boolean> {
  const { basePath } = useScope();
  const client = useQueryClient();
  const t = useTranslations('assets.trash');
  const problemToast = useProblemToast();
  return useCallback(
    async (batchIds) => {
      try {
        for (const batchId of batchIds)
          await apiFor(basePath).POST('/assets/trash/restore', { body: { batchId } });
        showToast({ tone: 'success', title: t('restored') });
        return true;
      } catch (error) {
        problemToast(error, t('restoreFailed'));
        return false;
      } finally {
        for (const kind of ['assets', 'folders', 'trash'])
          void client.invalidateQueries({ queryKey: [basePath, kind] });
      }
    },
    [basePath, client, problemToast, t],
  );
}
