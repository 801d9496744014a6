import { useTranslations } from '../../i18n';
import { Dialog } from '../../ui/Dialog';
import { ErrorState } from '../../ui/ErrorState';
import { Skeleton } from '../../ui/Skeleton';
import type { SelectionDialogProps } from '../actions/asset-commands';
import { useChosen } from '../actions/use-chosen';
import { DeliverDialog } from './DeliverDialog';

/** Delivers all selected assets. */
export default function DeliverChosenDialog({ selection, onClose }: SelectionDialogProps) {
  const t = useTranslations('details.deliver');
  const { assets, error, retry } = useChosen(selection);
  if (assets) return <DeliverDialog assets={assets} onClose={onClose} />;
  return (
    <Dialog title={t('title')} isOpen onOpenChange={(isOpen) => !isOpen && onClose()}>
      {error === undefined ? <Skeleton height={200} /> : <ErrorState error={error} onRetry={retry} />}
    </Dialog>
  );
}
