import { useState } from 'react';
import type { Schemas } from '../../api/client';
import { useTranslations } from '../../i18n';
import { FormDialog } from '../../ui/FormDialog';
import { Select } from '../../ui/Select';
import { TextField } from '../../ui/TextField';
import { ClientsField } from '../shared/ClientsField';
import { isPortalRole, useRoleOptions, type Role } from '../shared/roles';
import { useUserRoles } from './InviteUserDialog';
import type { User } from './users-query';
import { textIn } from '../../ui/form-text';

interface EditUserDialogProps {
  user: User;
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
  onSave: (changes: Schemas['UpdateUserDto']) => Promise<void>;
}

export function EditUserDialog({ user, isOpen, onOpenChange, onSave }: EditUserDialogProps) {
  const t = useTranslations('admin.users');
  const roles = useRoleOptions(useUserRoles());
  const [role, setRole] = useState<Role>(user.role);
  const [clientIds, setClientIds] = useState<string[] | null>(user.clientIds);
  const chooseRole = (next: Role) => {
    setRole(next);
    if (isPortalRole(next) !== isPortalRole(role)) setClientIds(isPortalRole(next) ? [] : null);
  };
  return (
    <FormDialog
      title={t('editTitle', { name: user.name })}
      submitLabel={t('save')}
      isOpen={isOpen}
      onOpenChange={onOpenChange}
      onSubmit={(form) => onSave({ name: textIn(form, 'name'), role, clientIds })}
    >
      <TextField
        name="name"
        label={t('name')}
        defaultValue={user.name}
        maxLength={200}
        missing={t('nameMissing')}
        autoFocus
      />
      <Select label={t('role')} options={roles} value={role} onChange={chooseRole} />
      <ClientsField value={clientIds} onChange={setClientIds} isSingle={isPortalRole(role)} />
    </FormDialog>
  );
}
