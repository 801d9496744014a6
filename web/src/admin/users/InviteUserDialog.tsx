import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { adminApi, body } from '../../api/client';
import { useSession } from '../../api/use-session';
import { useTranslations } from '../../i18n';
import { FormDialog } from '../../ui/FormDialog';
import { textIn } from '../../ui/form-text';
import { Select } from '../../ui/Select';
import { TextField } from '../../ui/TextField';
import { ClientsField } from '../shared/ClientsField';
import { isPortalRole, useRoleOptions, type Role } from '../shared/roles';
import type { ShownLink } from './UserLinkDialog';
import { usersQuery } from './users-query';

const USER_ROLES: readonly Role[] = ['owner', 'operator', 'viewer', 'client_manager', 'client_viewer'];

/** The roles that the user may give to others. */
export function useUserRoles(): readonly Role[] {
  const { can } = useSession();
  return can('users:manage') ? USER_ROLES : USER_ROLES.filter(isPortalRole);
}

interface InviteUserDialogProps {
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
  onInvited: (link: ShownLink) => void;
}

/** Nobody chooses a password for somebody else: the person gets a link. */
export function InviteUserDialog({ onInvited, ...props }: InviteUserDialogProps) {
  const t = useTranslations('admin.users');
  const queries = useQueryClient();
  const userRoles = useUserRoles();
  const roles = useRoleOptions(userRoles);
  const first = userRoles.includes('operator') ? 'operator' : 'client_manager';
  const [role, setRole] = useState<Role>(first);
  const [clientIds, setClientIds] = useState<string[] | null>(isPortalRole(first) ? [] : null);
  const chooseRole = (next: Role) => {
    setRole(next);
    if (isPortalRole(next) !== isPortalRole(role)) setClientIds(isPortalRole(next) ? [] : null);
  };
  const invite = async (form: FormData) => {
    const person = { name: textIn(form, 'name'), email: textIn(form, 'email') };
    const { invitation } = await body(
      adminApi.POST('/admin/users', { body: { ...person, role, clientIds } }),
    );
    if (invitation) onInvited({ ...person, ...invitation, isInvitation: true });
    await queries.invalidateQueries({ queryKey: usersQuery.queryKey });
  };
  return (
    <FormDialog {...props} title={t('invite')} submitLabel={t('inviteSubmit')} onSubmit={invite}>
      <TextField
        name="name"
        label={t('name')}
        maxLength={200}
        autoComplete="off"
        missing={t('nameMissing')}
        autoFocus
      />
      <TextField
        name="email"
        type="email"
        label={t('email')}
        maxLength={320}
        autoComplete="off"
        missing={t('emailMissing')}
      />
      <Select label={t('role')} options={roles} value={role} onChange={chooseRole} />
      <ClientsField value={clientIds} onChange={setClientIds} isSingle={isPortalRole(role)} />
    </FormDialog>
  );
}
