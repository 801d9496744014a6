import { useSyncExternalStore } from 'react';
import { useTranslations } from '../i18n';
import { ConfirmDialog } from '../ui/ConfirmDialog';
import { useUploadsOfPage } from '../upload/UploadProvider';

export interface SignOutDialogProps {
  onSignOut: () => Promise<void>;
  onClose: () => void;
}

/** Signing out cancels the uploads of this page, so it asks for confirmation. */
export default function SignOutDialog({ onSignOut, onClose }: SignOutDialogProps) {
  const t = useTranslations('dialogs.signOut');
  const uploads = useUploadsOfPage();
  const count = useSyncExternalStore(uploads.subscribe, () => uploads.getSnapshot().unfinished);
  return (
    <ConfirmDialog
      title={t('title')}
      confirmLabel={t('confirm')}
      isOpen
      onOpenChange={onClose}
      onConfirm={onSignOut}
    >
      {t('text', { count })}
    </ConfirmDialog>
  );
}
