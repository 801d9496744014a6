import { createContext, use, useMemo, type ReactNode } from 'react';
import { apiFor, type SideApi } from '../api/client';
import type { Permission } from '../api/permission';
import { useSession, type Side } from '../api/use-session';

/** Which client's data a page shows, and from which side. */
export interface Scope {
  readonly side: Side;
  readonly clientId: string;
  /** `/portal` or `/admin/clients/<id>`. */
  readonly basePath: string;
  readonly can: (permission: Permission) => boolean;
}

const ScopeContext = createContext<Scope | null>(null);

/** Without `clientId`: the portal, with the signed-in user's own client. */
export function ScopeProvider({ clientId, children }: { clientId?: string; children: ReactNode }) {
  const { user, can } = useSession();
  const scope = useMemo<Scope>(
    () =>
      clientId === undefined
        ? { side: 'portal', clientId: user.clientIds?.[0] ?? '', basePath: '/portal', can }
        : { side: 'admin', clientId, basePath: `/admin/clients/${encodeURIComponent(clientId)}`, can },
    [clientId, user, can],
  );
  return <ScopeContext value={scope}>{children}</ScopeContext>;
}

export function useScope(): Scope {
  const scope = use(ScopeContext);
  if (!scope) throw new Error('useScope() needs a <ScopeProvider> above it');
  return scope;
}

export function useScopeIfAny(): Scope | null {
  return use(ScopeContext);
}

export function useApi(): SideApi {
  return apiFor(useScope().basePath);
}

/** Query keys of a client's data begin with its base path, so that two clients never share a cache entry. */
export function scopeKey<const Parts extends readonly unknown[]>(scope: Scope, ...parts: Parts) {
  return [scope.basePath, ...parts] as const;
}
