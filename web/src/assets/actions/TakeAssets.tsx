import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { apiFor, body } from '../../api/client';
import { useSession } from '../../api/use-session';
import { download } from '../../browser/download';
import { useTranslations } from '../../i18n';
import { daysBetween, rangeOf } from '../../library/days';
import type { Asset } from '../../library/asset-types';
import CopyText from '../../library/CopyText';
import { useAssetFormats } from '../../library/formats';
import { libraryLink } from '../../library/library-links';
import { downloadUrl } from '../../library/preview-url';
import { countChosen } from '../../library/selection';
import { type Library, useLibrary } from '../../library/use-library';
import { showToast } from '../../ui/toasts';
import { useProblemToast } from '../../ui/use-problem-toast';
import type { Taking } from './asset-commands';
import { chosenAssets, chosenInFull } from './chosen-assets';

/** The API's maximum. */
const MAX_IN_ZIP = 1_000;

/** Downloads assets, or copies their links or ids, as soon as it is shown. */
export default function TakeAssets({ taking, onEnd }: { taking: Taking; onEnd: () => void }) {
  const t = useTranslations('dialogs.take');
  const formats = useAssetFormats();
  const library = useLibrary();
  const { user } = useSession();
  const problemToast = useProblemToast();
  const [lines, setLines] = useState<readonly string[]>([]);
  const { command } = taking;
  const numbers = (count: number) => ({ count, number: formats.number(count) });

  const downloadChosen = async () => {
    const { scope, selection } = library;
    if (countChosen(selection.get().selection) > MAX_IN_ZIP)
      return void showToast({
        title: t('tooMany', { limit: formats.number(MAX_IN_ZIP) }),
        description: t('tooManyHint'),
      });
    const assetIds = [...(await chosenAssets(library)).keys()];
    const [only] = assetIds;
    if (only === undefined) return;
    if (assetIds.length === 1) return download(downloadUrl(scope.basePath, only));
    const { url } = await body(apiFor(scope.basePath).POST('/assets/archive', { body: { assetIds } }));
    download(url);
    showToast({ title: t('started', numbers(assetIds.length)) });
  };
  const isStarted = useRef(false);
  const start = useEffectEvent(async () => {
    // React's strict mode runs effects twice.
    if (isStarted.current) return;
    isStarted.current = true;
    try {
      if (command !== 'download') {
        const assets = taking.asset
          ? [taking.asset]
          : await chosenInFull(library, library.selection.get().selection);
        if (assets.length > 0) return setLines(linesOf(library, assets, taking, user.userId));
      } else await downloadChosen();
    } catch (error) {
      problemToast(error, t(`failed.${command}`));
    }
    onEnd();
  });
  useEffect(() => void start(), []);
  if (command === 'download' || lines.length === 0) return null;
  return <CopyText text={lines.join('\n')} done={t(command, numbers(lines.length))} onEnd={onEnd} />;
}

/** One for each asset, in the order in which they are listed. A link opens the list as it is seen now. */
function linesOf(
  { scope, listing, reader }: Library,
  assets: readonly Asset[],
  { command, shownIn = 'details' }: Taking,
  userId: string,
): string[] {
  // For whoever opens the link, “me” is somebody else, and “today” another day.
  const { createdBy, uploaded, taken } = listing;
  const seen = {
    ...listing,
    createdBy: createdBy === 'me' ? userId : createdBy,
    uploaded: uploaded && daysBetween(rangeOf(uploaded)),
    taken: taken && daysBetween(rangeOf(taken)),
  };
  const places = reader.places();
  const placeOf = ({ assetId }: Asset) => places.get(assetId) ?? Number.MAX_SAFE_INTEGER;
  return assets
    .toSorted((one, other) => placeOf(one) - placeOf(other))
    .map((asset) => {
      if (command === 'copyId') return asset.assetRef;
      const at = places.get(asset.assetId);
      return libraryLink(scope, { ...seen, [shownIn]: asset.assetId, at });
    });
}
