import { Outlet, useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useClientEvents } from '../events/use-client-events';
import { ScopeProvider, useScope } from './scope';

/** A client's pages on the admin side. */
export function ClientLayout() {
  const { clientId } = useParams({ from: '/app/clients/$clientId' });
  return (
    <ScopeProvider clientId={clientId}>
      <Library key={clientId}>
        <Outlet />
      </Library>
    </ScopeProvider>
  );
}

/** The same pages for the client's own users. */
export function PortalLayout() {
  return (
    <ScopeProvider>
      <Library>
        <Outlet />
      </Library>
    </ScopeProvider>
  );
}

function Library({ children }: { children: ReactNode }) {
  useClientEvents(useScope());
  return children;
}
