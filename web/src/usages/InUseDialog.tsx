import { useScope } from '../scope/scope';
import { useTranslations } from '../i18n';
import { Button } from '../ui/Button';
import { Dialog, DialogFooter } from '../ui/Dialog';
import { UsageList } from './UsageList';
import type { Places } from '../library/asset-types';
import type { InUse } from './in-use';

export interface InUseDialogProps {
  readonly inUse: InUse;
  onTrashOthers: (others: Places) => void;
  onClose: () => void;
}

/** Shows where references use the assets to be trashed. Users with the permission can continue. */
export default function InUseDialog({ inUse, onTrashOthers, onClose }: InUseDialogProps) {
  const t = useTranslations('details.inUse');
  const mayForce = useScope().can('assets:trash-used');
  const { usages, usageCount, others } = inUse;
  const then = (action: () => void) => () => {
    onClose();
    action();
  };
  return (
    <Dialog title={t('title')} isOpen onOpenChange={(isOpen) => !isOpen && onClose()} role="alertdialog">
      <p>{t(mayForce ? 'explanationForce' : 'explanation', { count: usageCount })}</p>
      <UsageList usages={usages} />
      {usageCount > usages.length && <p>{t('more', { count: usageCount - usages.length })}</p>}
      <DialogFooter>
        <Button onPress={onClose} autoFocus>
          {t('cancel')}
        </Button>
        {others && (
          <Button onPress={then(() => onTrashOthers(others))}>{t('others', { count: others.size })}</Button>
        )}
        {mayForce && (
          <Button variant="danger" onPress={then(inUse.force)}>
            {t('force')}
          </Button>
        )}
      </DialogFooter>
    </Dialog>
  );
}
