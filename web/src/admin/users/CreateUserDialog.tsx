import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { adminApi, body } from '../../api/client';
import { useTranslations } from '../../i18n';
import { FormDialog } from '../../ui/FormDialog';
import { Select } from '../../ui/Select';
import { TextField } from '../../ui/TextField';
import { showToast } from '../../ui/toasts';
import { ClientsField } from '../shared/ClientsField';
import { isPortalRole, useRoleOptions, type Role } from '../shared/roles';
import { usersQuery } from './users-query';
import { rawTextIn, textIn } from '../../ui/form-text';

export const USER_ROLES: readonly Role[] = ['owner', 'operator', 'viewer', 'client_manager', 'client_viewer'];
export const PASSWORD_LENGTH = 10;

export function CreateUserDialog(props: { isOpen: boolean; onOpenChange: (isOpen: boolean) => void }) {
  const t = useTranslations('admin.users');
  const queries = useQueryClient();
  const roles = useRoleOptions(USER_ROLES);
  const [role, setRole] = useState<Role>('operator');
  const [clientIds, setClientIds] = useState<string[] | null>(null);
  const chooseRole = (next: Role) => {
    setRole(next);
    if (isPortalRole(next) !== isPortalRole(role)) setClientIds(isPortalRole(next) ? [] : null);
  };
  const create = async (form: FormData) => {
    const name = textIn(form, 'name');
    await body(
      adminApi.POST('/admin/users', {
        body: {
          name,
          email: textIn(form, 'email'),
          password: rawTextIn(form, 'password'),
          role,
          clientIds,
        },
      }),
    );
    showToast({ tone: 'success', title: t('created', { name }) });
    await queries.invalidateQueries({ queryKey: usersQuery.queryKey });
  };
  return (
    <FormDialog {...props} title={t('create')} submitLabel={t('createSubmit')} onSubmit={create}>
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
      <TextField
        name="password"
        type="password"
        label={t('password')}
        description={t('passwordHint', { count: PASSWORD_LENGTH })}
        minLength={PASSWORD_LENGTH}
        autoComplete="new-password"
        missing={t('passwordMissing')}
      />
      <Select label={t('role')} options={roles} value={role} onChange={chooseRole} />
      <ClientsField value={clientIds} onChange={setClientIds} isSingle={isPortalRole(role)} />
    </FormDialog>
  );
}
