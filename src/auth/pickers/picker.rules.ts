import { effectivePermissions, type Grant, hasAccessTo, type Permission } from '../../access/permissions.js';

/** What a token allows. */
export interface PickerScope {
  readonly clientId: string;
  readonly uploads: boolean;
}

/** Whether the maker holds everything that the token allows, so that it never allows more. */
export function holdsPicker(maker: Grant, { clientId, uploads }: PickerScope): boolean {
  const needed: Permission[] = [
    'platform:access',
    'assets:read',
    ...(uploads ? (['assets:write'] as const) : []),
  ];
  const held = effectivePermissions(maker);
  return needed.every((permission) => held.has(permission)) && hasAccessTo(maker, clientId);
}
