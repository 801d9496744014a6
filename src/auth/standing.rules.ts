import { effectivePermissions, hasAccessTo, includesAll, type Permission } from '../access/permissions.js';
import type { Principal } from '../access/principal.js';
import type { Standing } from './auth.repository.js';

/** What a caller needs to go on. */
export interface Need {
  readonly permissions: readonly Permission[];
  /** Without one, the work may concern every client of the caller. */
  readonly clientId: string | undefined;
}

export type LostAccess = 'signed_out' | 'account_inactive' | 'permission_denied';

/** Why a caller must not go on with work that was allowed when it began, or null. */
export function lostAccess(
  standing: Standing | undefined,
  caller: Principal,
  { permissions, clientId }: Need,
): LostAccess | null {
  if (standing?.isActive === false) return 'account_inactive';
  if (standing?.isOpen !== true) return 'signed_out';
  const held = effectivePermissions(standing);
  const reachesClients =
    clientId === undefined
      ? includesAll(standing.clientIds, caller.clientIds)
      : hasAccessTo(standing, clientId);
  const isAllowed =
    permissions.every((permission) => held.has(permission)) &&
    reachesClients &&
    includesAll(standing.surfaces ?? null, caller.surfaces);
  return isAllowed ? null : 'permission_denied';
}
