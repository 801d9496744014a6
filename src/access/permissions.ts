import type { Surface } from '../database/entities/asset.entity.js';
import type { Role } from '../database/entities/user.entity.js';

/** All permissions. Each route declares one of these, or `@Public()` or `@Authenticated()`. */
export const PERMISSIONS = {
  'platform:access': 'Use the admin and agent routes',
  'portal:access': 'Use the portal routes',
  'clients:read': 'See clients',
  'clients:manage': 'Create and rename clients',
  'users:manage': 'See, invite and change users',
  'portal-users:manage': 'See, invite and change users of portals',
  'api-keys:manage': 'See, create and revoke API keys',
  'audit:read': 'See who did what in the library of a client',
  'audit:read-all': 'See who did what everywhere, with users, API keys and sign-ins',
  'assets:read': 'See, preview and download assets and folders',
  'assets:write': 'Upload, edit, move and trash assets and folders',
  'assets:trash-used': 'Trash assets that references use',
  'assets:resolve': 'Find, resolve and fetch assets for a surface',
  'references:write': 'Record where assets are used',
  'deliveries:read': 'See deliveries',
  'deliveries:write': 'Deliver assets to targets; retry and cancel deliveries',
  'targets:read': 'See the systems assets are delivered to',
  'targets:manage': 'Create, verify, change and delete targets',
  'social:organize': 'File assets as posted; change the folders below Social',
  'diagnostics:read': 'See agents, connections and landing pages',
  'diagnostics:manage': 'Maintain integrations and landing pages, run the storage doctor',
  'diagnostics:report': 'Report the state of agents and connections',
} as const;

export type Permission = keyof typeof PERMISSIONS;

const VIEWER: readonly Permission[] = [
  'platform:access',
  'clients:read',
  'audit:read',
  'assets:read',
  'deliveries:read',
  'targets:read',
  'diagnostics:read',
];
const OPERATOR: readonly Permission[] = [
  ...VIEWER,
  'portal-users:manage',
  'assets:write',
  'assets:trash-used',
  'assets:resolve',
  'references:write',
  'deliveries:write',
  'targets:manage',
  'diagnostics:manage',
  'diagnostics:report',
];
const OWNER: readonly Permission[] = [
  ...OPERATOR,
  'audit:read-all',
  'clients:manage',
  'users:manage',
  'api-keys:manage',
  'social:organize',
];
const CLIENT_VIEWER: readonly Permission[] = ['portal:access', 'audit:read', 'assets:read'];
const CLIENT_MANAGER: readonly Permission[] = [...CLIENT_VIEWER, 'assets:write'];
const AGENT: readonly Permission[] = [
  'platform:access',
  'assets:resolve',
  'references:write',
  'deliveries:read',
  'deliveries:write',
  'targets:read',
  'social:organize',
  'diagnostics:report',
];

const TABLE: Record<Role, ReadonlySet<Permission>> = {
  owner: new Set(OWNER),
  operator: new Set(OPERATOR),
  viewer: new Set(VIEWER),
  client_manager: new Set(CLIENT_MANAGER),
  client_viewer: new Set(CLIENT_VIEWER),
  agent: new Set(AGENT),
};

export function permissionsOf(role: Role): ReadonlySet<Permission> {
  return TABLE[role];
}

/**
 * Permissions whose routes neither name a surface nor leave out what belongs to others: they show all assets and all changes, or affect the
 * deliveries of every surface. A holder limited to some surfaces does not have them, whatever the role.
 */
const WITHOUT_SURFACE: ReadonlySet<Permission> = new Set<Permission>([
  'portal-users:manage',
  'audit:read',
  'audit:read-all',
  'assets:read',
  'assets:write',
  'assets:trash-used',
  'targets:manage',
]);

/** What a picker may do at most. The routes open to it leave out what its surface does not allow. */
const PICKER: ReadonlySet<Permission> = new Set<Permission>([
  'platform:access',
  'assets:read',
  'assets:write',
]);

/** The permissions of a user or key: those of the role, except those that its surfaces or its picker exclude. */
export function effectivePermissions({ role, surfaces, picker }: Grant): ReadonlySet<Permission> {
  if (picker) {
    const { uploads } = picker;
    return new Set(
      [...TABLE[role]].filter((each) => PICKER.has(each) && (uploads || each !== 'assets:write')),
    );
  }
  if (!surfaces) return TABLE[role];
  return new Set([...TABLE[role]].filter((permission) => !WITHOUT_SURFACE.has(permission)));
}

/** Portal roles belong to exactly one client. */
export function isPortalRole(role: Role): boolean {
  return TABLE[role].has('portal:access');
}

/** A picker in another page: it has a part of its maker's rights, and only on routes that declare `@InPicker()`. */
export interface PickerLimits {
  readonly uploads: boolean;
}

/** The rights of a user or API key: a role, and the clients and surfaces it applies to (null means all). */
export interface Grant {
  readonly role: Role;
  readonly clientIds: readonly string[] | null;
  /** Only API keys and pickers can be limited to surfaces. */
  readonly surfaces?: readonly Surface[] | null;
  /** Only for callers that are a picker. */
  readonly picker?: PickerLimits;
}

/** You can only grant or change what you hold yourself. In addition, users who manage users can grant the portal roles of their clients. */
export function canGrant(holder: Grant, grant: Grant): boolean {
  return (
    canGrantRole(holder.role, grant.role) &&
    includesAll(holder.clientIds, grant.clientIds) &&
    includesAll(holder.surfaces ?? null, grant.surfaces ?? null)
  );
}

/** Whose accounts someone can see, make and change: those they could grant; without `users:manage`, only those of portals. */
export function canManageUser(holder: Grant, user: Grant): boolean {
  return (
    TABLE[holder.role].has(isPortalRole(user.role) ? 'portal-users:manage' : 'users:manage') &&
    canGrant(holder, user)
  );
}

function canGrantRole(holder: Role, role: Role): boolean {
  if (isPortalRole(role) && !isPortalRole(holder)) return true;
  return [...TABLE[role]].every((permission) => TABLE[holder].has(permission));
}

/** Null means all. */
export function includesAll(holder: readonly string[] | null, wanted: readonly string[] | null): boolean {
  if (holder === null) return true;
  return wanted !== null && wanted.every((each) => holder.includes(each));
}

export function hasAccessTo(holder: Grant, clientId: string): boolean {
  return holder.clientIds === null || holder.clientIds.includes(clientId);
}
