import { useMemo, useSyncExternalStore } from 'react';
import { session, type SessionState, type User } from './session-store';
import type { Permission } from './permission';

export type Side = 'admin' | 'portal';

export interface Session {
  readonly user: User;
  readonly side: Side;
  readonly can: (permission: Permission) => boolean;
  readonly signOut: () => Promise<void>;
}

export function useSessionState(): SessionState {
  return useSyncExternalStore(session.subscribe, session.get);
}

/** The signed-in user. Only for pages that require sign-in. */
export function useSession(): Session {
  const { user } = useSessionState();
  // During sign-out, this page may render once more before the sign-in page replaces it.
  return useMemo(() => sessionOf(user ?? NOBODY), [user]);
}

const NOBODY: User = {
  userId: '',
  email: null,
  name: '',
  role: 'viewer',
  permissions: [],
  clientIds: [],
  clientName: null,
};

export function sessionOf(user: User): Session {
  const held = new Set<string>(user.permissions);
  return {
    user,
    side: sideOf(user),
    can: (permission) => held.has(permission),
    signOut: () => session.signOut(),
  };
}

export function sideOf(user: User): Side {
  return (user.permissions as readonly string[]).includes('portal:access') ? 'portal' : 'admin';
}
