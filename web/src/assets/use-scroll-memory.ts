import { useRouterState } from '@tanstack/react-router';
import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react';
import { useLibrary } from './library/use-library';

const PREFIX = 'scroll:';

/** Going back, or reloading, returns to the same place of a listing; another listing begins at its top. */
export function useScrollMemory(scroller: RefObject<HTMLElement | null>): void {
  const { listing, first, selection } = useLibrary();
  const entry = useRouterState({ select: ({ location }) => location.state.__TSR_key ?? 'first' });
  const key = JSON.stringify(listing);
  const restored = useRef<string | null>(null);
  const last = useRef(key);

  useEffect(() => {
    const element = scroller.current;
    if (!element) return;
    const remember = () => sessionStorage.setItem(PREFIX + entry, String(Math.round(element.scrollTop)));
    element.addEventListener('scrollend', remember);
    return () => element.removeEventListener('scrollend', remember);
  }, [entry, scroller]);

  useLayoutEffect(() => {
    if (last.current !== key) {
      last.current = key;
      restored.current = null;
      selection.reset();
    }
    // Only once the listing's height is known.
    if (!scroller.current || !first || restored.current === key) return;
    restored.current = key;
    scroller.current.scrollTop = Number(sessionStorage.getItem(PREFIX + entry) ?? 0);
  }, [entry, first, key, scroller, selection]);
}
