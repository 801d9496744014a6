/** The permissions that the pages check. The service's src/access/permissions.ts contains all of them. */
export type Permission =
  | 'platform:access'
  | 'portal:access'
  | 'clients:read'
  | 'clients:manage'
  | 'users:manage'
  | 'api-keys:manage'
  | 'audit:read'
  | 'audit:read-all'
  | 'assets:read'
  | 'assets:write'
  | 'assets:trash-used'
  | 'deliveries:read'
  | 'deliveries:write'
  | 'targets:read'
  | 'targets:manage'
  | 'diagnostics:read'
  | 'diagnostics:manage';
