import { type RefObject, useEffect, useState } from 'react';

const FAST_PX_PER_MS = 3;
const MEASURED_EVERY_MS = 30;
const SETTLED_AFTER_MS = 120;

/** Whether the user scrolls too fast to look at cards. Then nothing is loaded for them, so that scrolling stays smooth. */
export function useFastScroll(scroller: RefObject<HTMLElement | null>): boolean {
  const [isFast, setFast] = useState(false);
  useEffect(() => {
    const element = scroller.current;
    if (!element) return;
    let last = { top: element.scrollTop, at: performance.now() };
    let timer: ReturnType<typeof setTimeout> | undefined;
    const onScroll = () => {
      const now = { top: element.scrollTop, at: performance.now() };
      const elapsed = now.at - last.at;
      if (elapsed >= MEASURED_EVERY_MS) {
        if (Math.abs(now.top - last.top) / elapsed > FAST_PX_PER_MS && elapsed < SETTLED_AFTER_MS * 2)
          setFast(true);
        last = now;
      }
      clearTimeout(timer);
      timer = setTimeout(() => setFast(false), SETTLED_AFTER_MS);
    };
    element.addEventListener('scroll', onScroll, { passive: true });
    return () => {
      clearTimeout(timer);
      element.removeEventListener('scroll', onScroll);
    };
  }, [scroller]);
  return isFast;
}
