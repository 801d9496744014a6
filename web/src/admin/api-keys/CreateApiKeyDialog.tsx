import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { adminApi, body, type Schemas } from '../../api/client';
import { useTranslations } from '../../i18n';
import { FormDialog } from '../../ui/FormDialog';
import { Select } from '../../ui/Select';
import { TextField } from '../../ui/TextField';
import { ClientsField } from '../shared/ClientsField';
import { isPortalRole, useRoleOptions, type Role } from '../shared/roles';
import { apiKeysQuery } from './api-keys-query';
import { CreatedKeyDialog } from './CreatedKeyDialog';
import { SurfacesField } from './SurfacesField';
import { textIn } from '../../ui/form-text';

const KEY_ROLES: readonly Role[] = [
  'agent',
  'operator',
  'viewer',
  'owner',
  'client_manager',
  'client_viewer',
];
const LIFETIMES = ['never', '30', '90', '365'] as const;
type Lifetime = (typeof LIFETIMES)[number];

type Surface = NonNullable<Schemas['CreateApiKeyDto']['surfaces']>[number];

/** Asks what the key may do, creates it, and shows it once. */
export function CreateApiKeyDialog({
  isOpen,
  onOpenChange,
}: {
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
}) {
  const t = useTranslations('admin.apiKeys');
  const queries = useQueryClient();
  const roles = useRoleOptions(KEY_ROLES);
  const [role, setRole] = useState<Role>('agent');
  const [clientIds, setClientIds] = useState<string[] | null>(null);
  const [surfaces, setSurfaces] = useState<Surface[] | null>(null);
  const [lifetime, setLifetime] = useState<Lifetime>('365');
  const [created, setCreated] = useState<Schemas['CreatedApiKeyDto'] | null>(null);
  const chooseRole = (next: Role) => {
    setRole(next);
    if (isPortalRole(next) !== isPortalRole(role)) setClientIds(isPortalRole(next) ? [] : null);
  };
  const create = async (form: FormData) => {
    const key = await body(
      adminApi.POST('/admin/api-keys', {
        body: {
          name: textIn(form, 'name'),
          role,
          clientIds,
          surfaces,
          expiresAt: endOf(lifetime),
        },
      }),
    );
    setCreated(key);
    await queries.invalidateQueries({ queryKey: apiKeysQuery.queryKey });
  };
  return (
    <>
      <FormDialog
        title={t('create')}
        submitLabel={t('createSubmit')}
        isOpen={isOpen}
        onOpenChange={onOpenChange}
        onSubmit={create}
      >
        <TextField
          name="name"
          label={t('name')}
          placeholder={t('nameExample')}
          maxLength={200}
          missing={t('nameMissing')}
          autoFocus
        />
        <Select label={t('role')} options={roles} value={role} onChange={chooseRole} />
        <ClientsField value={clientIds} onChange={setClientIds} isSingle={isPortalRole(role)} />
        <SurfacesField value={surfaces} onChange={setSurfaces} />
        <Select
          label={t('expires')}
          options={LIFETIMES.map((each) => ({ id: each, label: t(`lifetimes.${each}`) }))}
          value={lifetime}
          onChange={setLifetime}
        />
      </FormDialog>
      <CreatedKeyDialog created={created} onClose={() => setCreated(null)} />
    </>
  );
}

function endOf(lifetime: Lifetime): string | null {
  if (lifetime === 'never') return null;
  return new Date(Date.now() + Number(lifetime) * 86_400_000).toISOString();
}
