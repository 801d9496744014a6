import { adminApi, body } from '../api/client';
import { useTranslations } from '../i18n';
import { FormDialog } from '../ui/FormDialog';
import { TextField } from '../ui/TextField';
import { showToast } from '../ui/toasts';
import { rawTextIn } from '../ui/form-text';

const SHORTEST = 10;

export default function ChangePasswordDialog(props: {
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
}) {
  const t = useTranslations('dialogs.changePassword');
  const change = async (form: FormData) => {
    await body(
      adminApi.POST('/auth/password', {
        body: {
          currentPassword: rawTextIn(form, 'currentPassword'),
          newPassword: rawTextIn(form, 'newPassword'),
        },
      }),
    );
    showToast({ tone: 'success', title: t('done'), description: t('doneDetail') });
  };
  return (
    <FormDialog {...props} title={t('title')} submitLabel={t('title')} onSubmit={change}>
      <TextField
        name="currentPassword"
        type="password"
        label={t('current')}
        autoComplete="current-password"
        missing={t('currentMissing')}
        autoFocus
      />
      <TextField
        name="newPassword"
        type="password"
        label={t('new')}
        description={t('rule', { count: SHORTEST })}
        autoComplete="new-password"
        minLength={SHORTEST}
        missing={t('newMissing')}
      />
    </FormDialog>
  );
}
