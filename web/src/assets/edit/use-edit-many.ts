import { useCallback } from 'react';
import { apiFor } from '../../api/client';
import { useTranslations } from '../../i18n';
import { useAssetFormats } from '../../library/formats';
import type { Library } from '../../library/use-library';
import { showToast } from '../../ui/toasts';
import { startAction, useUndoToast } from '../../ui/undo';
import { useProblemToast } from '../../ui/use-problem-toast';
import type { Edit } from './edit-draft';
import { editMany, type EditResult, isChanged, isUncertain, PartlyEdited, revertEdits } from './edit-many';

/** Edits many assets, with undo. If a part of them fails, the others get their earlier values back. */
export function useEditMany({ scope, cache }: Library) {
  const t = useTranslations('details.editMany');
  const assetTexts = useTranslations('assets');
  const formats = useAssetFormats();
  const undoToast = useUndoToast();
  const problemToast = useProblemToast();
  const api = apiFor(scope.basePath);

  const undo = useCallback(
    async (results: readonly EditResult[]) => {
      try {
        const count = await revertEdits(api, results);
        const title = t(count === 0 ? 'undone' : 'undoneExcept', { count, number: formats.number(count) });
        showToast({ tone: count === 0 ? 'success' : 'danger', title });
      } catch (error) {
        problemToast(error, t('undoFailed'));
      } finally {
        void cache.refetch('assets', 'asset', 'tags');
      }
    },
    [api, cache, formats, problemToast, t],
  );

  return useCallback(
    async (assetIds: readonly string[], edit: Edit, onProgress: (done: number) => void): Promise<void> => {
      const started = startAction();
      try {
        const changed = (await editMany(api, assetIds, edit, onProgress)).filter(isChanged);
        const count = changed.length;
        if (count === 0) showToast({ title: t('nothingChanged') });
        else {
          const title = assetTexts('changed', { count, number: formats.number(count) });
          undoToast({ title }, () => void undo(changed), started);
        }
      } catch (error) {
        if (!(error instanceof PartlyEdited)) throw error;
        const count = await revertEdits(api, error.results).catch(() => error.results.length);
        if (isUncertain(error.cause)) showToast({ tone: 'danger', title: t('uncertain') });
        else if (count > 0)
          showToast({ tone: 'danger', title: t('partly', { count, number: formats.number(count) }) });
        throw error.cause;
      } finally {
        void cache.refetch('assets', 'asset', 'tags');
      }
    },
    [api, assetTexts, cache, formats, t, undo, undoToast],
  );
}
