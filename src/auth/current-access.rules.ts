import { effectivePermissions, hasAccessTo, includesAll, type Permission } from '../access/permissions.js';
import type { Principal } from '../access/principal.js';
import type { CurrentAccess } from './auth.repository.js';

/** What a caller needs to continue. */
export interface Need {
  readonly permissions: readonly Permission[];
  /** Without one, the work may concern every client of the caller. */
  readonly clientId: string | undefined;
}

export type LostAccess = 'signed_out' | 'account_inactive' | 'permission_denied';

/** Why a caller must not continue work that was allowed when it began, or null. */
export function lostAccess(
  current: CurrentAccess | undefined,
  caller: Principal,
  { permissions, clientId }: Need,
): LostAccess | null {
  if (current?.isActive === false) return 'account_inactive';
  if (current?.isOpen !== true) return 'signed_out';
  const held = effectivePermissions(current);
  const reachesClients =
    clientId === undefined
      ? includesAll(current.clientIds, caller.clientIds)
      : hasAccessTo(current, clientId);
  const isAllowed =
    permissions.every((permission) => held.has(permission)) &&
    reachesClients &&
    includesAll(current.surfaces ?? null, caller.surfaces);
  return isAllowed ? null : 'permission_denied';
}
