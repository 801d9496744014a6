import { RouterProvider, type NavigateOptions, type ToOptions } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { RouterProvider as AriaRouterProvider } from 'react-aria-components';
import { TextProvider } from '../i18n';
import { session } from '../api/session-store';
import { Toasts } from '../ui/Toasts';
import { router } from './router';

declare module 'react-aria-components' {
  interface RouterConfig {
    href: NonNullable<ToOptions['to']> | (string & {});
    routerOptions: Omit<NavigateOptions, keyof ToOptions>;
  }
}

export function Providers() {
  const isReady = useSessionStart();
  return (
    <TextProvider>
      <AriaRouterProvider navigate={(href, options) => void router.navigate({ ...options, href })}>
        {isReady && <RouterProvider router={router} />}
        <Toasts />
      </AriaRouterProvider>
    </TextProvider>
  );
}

/**
 * Pages wait until the refresh cookie of an earlier visit has been tried. After that, every sign-in and sign-out runs
 * the route guards again.
 */
function useSessionStart(): boolean {
  const [isReady, setReady] = useState(false);
  useEffect(() => {
    let previous = session.get();
    const stop = session.subscribe(() => {
      const next = session.get();
      if (next.status !== previous.status && previous.status !== 'starting') void router.invalidate();
      previous = next;
    });
    void session.start().then(() => setReady(true));
    return stop;
  }, []);
  return isReady;
}
