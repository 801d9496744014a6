import { useRouterState } from '@tanstack/react-router';
import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react';
import { useLibrary } from '../library/use-library';

const PREFIX = 'scroll:';
const REMEMBER_AFTER_MS = 100;

/** Going back or reloading restores the scroll position of a listing; a new listing starts at the top. */
export function useScrollMemory(scroller: RefObject<HTMLElement | null>): void {
  const { listing, first, selection } = useLibrary();
  const entry = useRouterState({ select: ({ location }) => location.state.__TSR_key ?? 'first' });
  const key = JSON.stringify(listing);
  const restored = useRef<string | null>(null);
  const last = useRef(key);

  useEffect(() => {
    const element = scroller.current;
    if (!element) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const remember = () => sessionStorage.setItem(PREFIX + entry, String(Math.round(element.scrollTop)));
    // Every turn of the wheel ends a scroll, and writing to storage is slow.
    const rememberSoon = () => {
      clearTimeout(timer);
      timer = setTimeout(remember, REMEMBER_AFTER_MS);
    };
    element.addEventListener('scrollend', rememberSoon);
    return () => {
      clearTimeout(timer);
      element.removeEventListener('scrollend', rememberSoon);
    };
  }, [entry, scroller]);

  useLayoutEffect(() => {
    if (last.current !== key) {
      last.current = key;
      restored.current = null;
      selection.reset();
    }
    // Only when the height of the listing is known.
    if (!scroller.current || !first || restored.current === key) return;
    restored.current = key;
    scroller.current.scrollTop = Number(sessionStorage.getItem(PREFIX + entry) ?? 0);
  }, [entry, first, key, scroller, selection]);
}
