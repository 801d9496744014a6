import { Outlet, useParams } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense } from 'react';
import { useClientEvents } from '../events/use-client-events';
import { useSession } from '../session/use-session';
import { ScopeProvider, useScope } from './scope';

const NotFoundPage = lazy(() => import('./NotFoundPage'));

/** A client's pages on the admin side. */
export function ClientLayout() {
  const { side } = useSession();
  const { clientId } = useParams({ from: '/app/clients/$clientId' });
  if (side !== 'admin') return <NotHere />;
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
  const { side } = useSession();
  if (side !== 'portal') return <NotHere />;
  return (
    <ScopeProvider>
      <Library>
        <Outlet />
      </Library>
    </ScopeProvider>
  );
}

/** The pages of the other side do not exist for this user. */
function NotHere() {
  return (
    <Suspense>
      <NotFoundPage />
    </Suspense>
  );
}

function Library({ children }: { children: ReactNode }) {
  useClientEvents(useScope());
  return children;
}
