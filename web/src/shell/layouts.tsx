import { Outlet, useParams } from '@tanstack/react-router';
import { type ReactNode, Suspense } from 'react';
import { lazyWithTexts } from '../i18n/lazy-with-texts';
import { useClientEvents } from '../events/use-client-events';
import { useIsClientMissing } from '../scope/clients-query';
import { ScopeProvider, useScope } from '../scope/scope';

const MissingClient = lazyWithTexts(() => import('../missing/MissingClient'));

/** A client's pages on the admin side. */
export function ClientLayout() {
  const { clientId } = useParams({ from: '/app/clients/$clientId' });
  if (useIsClientMissing(clientId))
    return (
      <Suspense>
        <MissingClient />
      </Suspense>
    );
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
