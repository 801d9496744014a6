/** The permissions the pages ask about; the table of all of them is src/access/permissions.ts of the service. */
export type Permission =
  | 'platform:access'
  | 'portal:access'
  | 'clients:read'
  | 'clients:manage'
  | 'users:manage'
  | 'api-keys:manage'
  | 'audit:read'
  | 'assets:read'
  | 'assets:write'
  | 'assets:trash-used'
  | 'deliveries:read'
  | 'deliveries:write'
  | 'targets:read'
  | 'targets:manage'
  | 'diagnostics:read'
  | 'diagnostics:manage';
