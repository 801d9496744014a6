import { useTranslations } from '../../i18n';
import { Button } from '../../ui/Button';
import { useAssetCount } from '../../library/use-asset-count';
import { useLibrary } from '../../library/use-library';
import { useIsTouch } from '../../ui/use-media-query';
import { chooseAll } from '../../library/selection';
import { useSelectionState } from '../../library/selection-store';

/** On a touch screen, which has neither Ctrl nor a keyboard: starts selecting, then selects all. */
export function SelectButton({ className }: { className?: string }) {
  const t = useTranslations('assets.selection');
  const { selection: store, reader } = useLibrary();
  const { isSelecting } = useSelectionState(store);
  const { count } = useAssetCount();
  if (!useIsTouch()) return null;
  return (
    <Button
      variant="ghost"
      className={className}
      onPress={() =>
        isSelecting ? store.choose(chooseAll(count, reader.idReader())) : store.startSelecting()
      }
    >
      {t(isSelecting ? 'all' : 'start')}
    </Button>
  );
}
