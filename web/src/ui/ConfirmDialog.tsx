import { useState, type ReactNode } from 'react';
import { useTranslations } from '../i18n';
import { Button } from './Button';
import { Dialog, DialogFooter } from './Dialog';
import { ProblemNote } from './ErrorState';

export interface ConfirmDialogProps {
  title: string;
  children: ReactNode;
  confirmLabel: string;
  tone?: 'normal' | 'danger';
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
  /** The dialog closes when this resolves, and shows the problem when it rejects. */
  onConfirm: () => void | Promise<unknown>;
}

export function ConfirmDialog({
  title,
  children,
  confirmLabel,
  tone = 'danger',
  isOpen,
  onOpenChange,
  onConfirm,
}: ConfirmDialogProps) {
  const t = useTranslations('ui');
  const [isPending, setPending] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const confirm = async () => {
    setPending(true);
    setError(null);
    try {
      await onConfirm();
      onOpenChange(false);
    } catch (problem) {
      setError(problem);
    } finally {
      setPending(false);
    }
  };
  return (
    <Dialog title={title} isOpen={isOpen} onOpenChange={onOpenChange} size="small" role="alertdialog">
      <div>{children}</div>
      {error !== null && <ProblemNote error={error} />}
      <DialogFooter>
        <Button onPress={() => onOpenChange(false)}>{t('cancel')}</Button>
        <Button
          variant={tone === 'danger' ? 'danger' : 'primary'}
          isPending={isPending}
          onPress={() => void confirm()}
          autoFocus
        >
          {confirmLabel}
        </Button>
      </DialogFooter>
    </Dialog>
  );
}
