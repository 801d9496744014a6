import { lazy, Suspense, useSyncExternalStore } from 'react';
import { toastQueue } from './toasts';

const ToastRegion = lazy(() => import('./ToastRegion'));

let hasShown = false;
const subscribe = (listener: () => void) => toastQueue.subscribe(listener);
const hasToasts = () => (hasShown ||= toastQueue.visibleToasts.length > 0);

/** Where toasts appear, once per page; loaded with the first of them. */
export function Toasts() {
  const isNeeded = useSyncExternalStore(subscribe, hasToasts);
  return isNeeded ? (
    <Suspense>
      <ToastRegion />
    </Suspense>
  ) : null;
}
