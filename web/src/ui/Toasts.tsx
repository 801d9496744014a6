import { lazy, Suspense, useSyncExternalStore } from 'react';
import { toasts } from './toasts';

const ToastRegion = lazy(() => import('./ToastRegion'));

/** Where toasts appear, once per page. */
export function Toasts() {
  const isNeeded = useSyncExternalStore(toasts.subscribe, toasts.isNeeded);
  return isNeeded ? (
    <Suspense>
      <ToastRegion />
    </Suspense>
  ) : null;
}
