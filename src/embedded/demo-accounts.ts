import type { Role } from '../database/entities/user.entity.js';

export const DEMO_CLIENT = 'demo';

export const DEMO_USERS: readonly { email: string; name: string; role: Role; clientIds: string[] | null }[] =
  [
    { email: 'owner@example.com', name: 'Olivia Owner', role: 'owner', clientIds: null },
    { email: 'operator@example.com', name: 'Oscar Operator', role: 'operator', clientIds: null },
    { email: 'viewer@example.com', name: 'Vera Viewer', role: 'viewer', clientIds: null },
    { email: 'client@example.com', name: 'Clara Client', role: 'client_manager', clientIds: [DEMO_CLIENT] },
  ];

/** The user who uploads the samples. */
export const DEMO_UPLOADER = 'operator@example.com';
