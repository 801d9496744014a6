import type { Schemas } from '../../api/client';
import { useTranslations } from '../../i18n';
import { Button } from '../../ui/Button';
import { CopyField } from '../../ui/CopyField';
import { Dialog, DialogFooter } from '../../ui/Dialog';

interface CreatedKeyDialogProps {
  created: Schemas['CreatedApiKeyDto'] | null;
  onClose: () => void;
}

/** The only time the key is shown, so neither Escape nor a stray click closes it. */
export function CreatedKeyDialog({ created, onClose }: CreatedKeyDialogProps) {
  const t = useTranslations('admin.apiKeys');
  return (
    <Dialog
      title={t('createdTitle', { name: created?.name ?? '' })}
      isOpen={created !== null}
      onOpenChange={onClose}
      isDismissable={false}
    >
      <p>{t('createdText')}</p>
      <CopyField label={t('key')} value={created?.key ?? ''} />
      <DialogFooter>
        <Button variant="primary" onPress={onClose}>
          {t('done')}
        </Button>
      </DialogFooter>
    </Dialog>
  );
}
