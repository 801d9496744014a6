import { Outlet, useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useClientEvents } from '../events/use-client-events';
import { useSession } from '../session/use-session';
import { NotFoundPage } from './ErrorPage';
import { ScopeProvider, useScope } from './scope';

/** A client's pages on the admin side. */
export function ClientLayout() {
  const { side } = useSession();
  const { clientId } = useParams({ from: '/app/clients/$clientId' });
  if (side !== 'admin') return <NotFoundPage />;
  return (
    <ScopeProvider clientId={clientId}>
      <Library key={clientId}>
        <Outlet />
      </Library>
    </ScopeProvider>
  );
}

/** The same pages for the client's own people. */
export function PortalLayout() {
  const { side } = useSession();
  if (side !== 'portal') return <NotFoundPage />;
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
