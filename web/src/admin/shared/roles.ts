import type { Schemas } from '../../api/client';
import { useTranslations } from '../../i18n';
import type { SelectOption } from '../../ui/Select';

export type Role = Schemas['UserDto']['role'];

export const isPortalRole = (role: Role) => role === 'client_manager' || role === 'client_viewer';

export function useRoleOptions(roles: readonly Role[]): SelectOption<Role>[] {
  const t = useTranslations('admin.roles');
  return roles.map((role) => ({ id: role, label: t(`${role}.name`), description: t(`${role}.text`) }));
}

export function useRoleName(): (role: Role) => string {
  const t = useTranslations('admin.roles');
  return (role) => t(`${role}.name`);
}
