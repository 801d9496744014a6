import type { Schemas } from '../../api/client';
import { useTranslations } from '../../i18n';
import { ConfirmDialog } from '../../ui/ConfirmDialog';
import { FormDialog } from '../../ui/FormDialog';
import { TextField } from '../../ui/TextField';
import { PASSWORD_LENGTH } from './CreateUserDialog';
import { EditUserDialog } from './EditUserDialog';
import { useChangeUser } from './use-change-user';
import type { User } from './users-query';
import { rawTextIn } from '../../ui/form-text';

export interface UserAction {
  kind: 'edit' | 'resetPassword' | 'deactivate';
  user: User;
}

/** The dialog for the chosen item of a row's menu. */
export function UserDialogs({ action, onClose }: { action: UserAction | null; onClose: () => void }) {
  const t = useTranslations('admin.users');
  const changeUser = useChangeUser();
  const user = action?.user;
  const name = user?.name ?? '';
  const change = async (changes: Schemas['UpdateUserDto'], message: string) => {
    if (user) await changeUser(user, changes, message);
  };
  return (
    <>
      {user && (
        <EditUserDialog
          key={user.userId}
          user={user}
          isOpen={action.kind === 'edit'}
          onOpenChange={onClose}
          onSave={(changes) => change(changes, t('saved', { name: changes.name ?? name }))}
        />
      )}
      <FormDialog
        title={t('resetPasswordTitle', { name })}
        submitLabel={t('resetPassword')}
        isOpen={action?.kind === 'resetPassword'}
        onOpenChange={onClose}
        onSubmit={(form) => change({ password: rawTextIn(form, 'password') }, t('passwordReset', { name }))}
      >
        <TextField
          name="password"
          type="password"
          label={t('newPassword')}
          description={t('resetPasswordHint', { count: PASSWORD_LENGTH })}
          minLength={PASSWORD_LENGTH}
          autoComplete="new-password"
          missing={t('newPasswordMissing')}
          autoFocus
        />
      </FormDialog>
      <ConfirmDialog
        title={t('deactivateTitle', { name })}
        confirmLabel={t('deactivate')}
        isOpen={action?.kind === 'deactivate'}
        onOpenChange={onClose}
        onConfirm={() => change({ isActive: false }, t('deactivated', { name }))}
      >
        {t('deactivateText')}
      </ConfirmDialog>
    </>
  );
}
