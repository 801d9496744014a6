import type { Schemas } from '../../api/client';
import { useTranslations } from '../../i18n';
import { useFormat } from '../../i18n/use-format';
import { Button } from '../../ui/Button';
import { CopyField } from '../../ui/CopyField';
import { Dialog, DialogFooter } from '../../ui/Dialog';

/** A link that was made for somebody. */
export interface ShownLink extends Readonly<Schemas['PasswordLinkDto']> {
  readonly name: string;
  readonly email: string;
  readonly isInvitation: boolean;
}

/** The only time the link is shown, so neither Escape nor a stray click closes it. */
export function UserLinkDialog({ link, onClose }: { link: ShownLink | null; onClose: () => void }) {
  const t = useTranslations('admin.users');
  const format = useFormat();
  if (!link) return null;
  const { name, email, url, expiresAt, isInvitation, isMailed } = link;
  return (
    <Dialog
      title={isInvitation ? t('invitedTitle', { name }) : t('linkTitle', { name })}
      isOpen
      onOpenChange={onClose}
      isDismissable={false}
    >
      <p>{isMailed ? t('linkMailed', { email }) : t('linkNotMailed', { name })}</p>
      <CopyField
        label={t('link')}
        value={url}
        description={t('linkHint', { time: format.dateTime(expiresAt) })}
      />
      <DialogFooter>
        <Button variant="primary" onPress={onClose}>
          {t('done')}
        </Button>
      </DialogFooter>
    </Dialog>
  );
}
