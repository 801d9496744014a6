import { useCallback, useRef } from 'react';
import { apiFor, body } from '../../api/client';
import { download } from '../../browser/download';
import { useTranslations } from '../../i18n';
import { useAssetFormats } from '../../library/formats';
import { downloadUrl } from '../../library/preview-url';
import { countChosen } from '../../library/selection';
import type { Library } from '../../library/use-library';
import { showToast } from '../../ui/toasts';
import { useProblemToast } from '../../ui/use-problem-toast';
import { chosenAssets } from './chosen-assets';

/** The API's maximum. */
const MAX_IN_ZIP = 1_000;

/** Downloads the selected assets: one as its file, several as a zip archive. */
export function useDownloadAssets(library: Library): () => Promise<void> {
  const t = useTranslations('assets.download');
  const formats = useAssetFormats();
  const problemToast = useProblemToast();
  const latest = useRef(library);
  latest.current = library;

  return useCallback(async () => {
    const { scope, selection } = latest.current;
    if (countChosen(selection.get().selection) > MAX_IN_ZIP)
      return void showToast({
        title: t('tooMany', { limit: formats.number(MAX_IN_ZIP) }),
        description: t('tooManyHint'),
      });
    try {
      const assetIds = [...(await chosenAssets(latest.current)).keys()];
      const [only] = assetIds;
      if (only === undefined) return;
      if (assetIds.length === 1) return download(downloadUrl(scope.basePath, only));
      const { url } = await body(apiFor(scope.basePath).POST('/assets/archive', { body: { assetIds } }));
      download(url);
      const count = assetIds.length;
      showToast({ title: t('started', { count, number: formats.number(count) }) });
    } catch (error) {
      problemToast(error, t('failed'));
    }
  }, [formats, problemToast, t]);
}
