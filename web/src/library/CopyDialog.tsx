import { useTranslations } from '../i18n';
import { Button } from '../ui/Button';
import { Dialog, DialogFooter } from '../ui/Dialog';
import { shortcutHint } from '../ui/shortcuts';
import { TextField } from '../ui/TextField';

const MAX_ROWS = 8;

/** A text, selected, for when the browser does not let the page copy it. */
export default function CopyDialog({ text, onClose }: { text: string; onClose: () => void }) {
  const t = useTranslations('dialogs.copy');
  return (
    <Dialog title={t('title')} isOpen onOpenChange={onClose}>
      <TextField
        label={t('label')}
        description={t('hint', { keys: shortcutHint('copy') })}
        value={text}
        rows={Math.min(MAX_ROWS, Math.max(2, text.split('\n').length))}
        isReadOnly
        autoFocus
        onFocus={(event) => event.target.select()}
      />
      <DialogFooter>
        <Button onPress={onClose}>{t('close')}</Button>
      </DialogFooter>
    </Dialog>
  );
}
