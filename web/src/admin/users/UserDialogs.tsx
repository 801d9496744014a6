import { useQueryClient } from '@tanstack/react-query';
import { adminApi, body, type Schemas } from '../../api/client';
import { useTranslations } from '../../i18n';
import { ConfirmDialog } from '../../ui/ConfirmDialog';
import { EditUserDialog } from './EditUserDialog';
import { useChangeUser } from './use-change-user';
import type { ShownLink } from './UserLinkDialog';
import { usersQuery, type User } from './users-query';

export interface UserAction {
  kind: 'edit' | 'newLink' | 'deactivate';
  user: User;
}

interface UserDialogsProps {
  action: UserAction | null;
  onClose: () => void;
  onLink: (link: ShownLink) => void;
}

/** The dialog for the chosen item of a row's menu. */
export function UserDialogs({ action, onClose, onLink }: UserDialogsProps) {
  const t = useTranslations('admin.users');
  const queries = useQueryClient();
  const changeUser = useChangeUser();
  const user = action?.user;
  const name = user?.name ?? '';
  const isInvitation = user?.state === 'invited';
  const change = async (changes: Schemas['UpdateUserDto'], message: string) => {
    if (user) await changeUser(user, changes, message);
  };
  const createLink = async ({ userId, email }: User) => {
    const params = { path: { userId } };
    const link = await body(adminApi.POST('/admin/users/{userId}/reset-link', { params }));
    onLink({ ...link, name, email, isInvitation });
    await queries.invalidateQueries({ queryKey: usersQuery.queryKey });
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
      <ConfirmDialog
        title={isInvitation ? t('inviteAgainTitle', { name }) : t('resetPasswordTitle', { name })}
        confirmLabel={t('createLink')}
        tone="normal"
        isOpen={action?.kind === 'newLink'}
        onOpenChange={onClose}
        onConfirm={() => (user ? createLink(user) : undefined)}
      >
        {isInvitation ? t('inviteAgainText') : t('resetPasswordText')}
      </ConfirmDialog>
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
