import { useEffect, useEffectEvent, useState } from 'react';
import { copyText } from '../browser/clipboard';
import { useTranslations } from '../i18n';
import { Button } from '../ui/Button';
import { Dialog, DialogFooter } from '../ui/Dialog';
import { shortcutHint } from '../ui/shortcuts';
import { TextField } from '../ui/TextField';
import { showToast } from '../ui/toasts';

const MAX_ROWS = 8;

export interface CopyTextProps {
  readonly text: string;
  /** Says what was copied. */
  readonly done: string;
  onEnd: () => void;
}

/** Copies a text as soon as it is shown. If the browser refuses, a dialog shows the text, selected, to be copied by hand. */
export default function CopyText({ text, done, onEnd }: CopyTextProps) {
  const t = useTranslations('dialogs.copy');
  const [isRefused, setRefused] = useState(false);
  const copy = useEffectEvent(async () => {
    if (!(await copyText(text))) return setRefused(true);
    showToast({ title: done });
    onEnd();
  });
  useEffect(() => void copy(), []);
  if (!isRefused) return null;
  return (
    <Dialog title={t('title')} isOpen onOpenChange={onEnd}>
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
        <Button onPress={onEnd}>{t('close')}</Button>
      </DialogFooter>
    </Dialog>
  );
}
