import { type RefObject, useCallback, useEffect, useLayoutEffect, useState } from 'react';
import { contentTop, type GridLayout, isScaled, type Range, rangeBetween, scrolledInto } from './grid-layout';

export interface Visible {
  readonly range: Range;
  /** Added to a card's position; 0 unless the content is higher than a browser can lay out. */
  readonly shift: number;
}

interface Options {
  readonly grid: RefObject<HTMLElement | null>;
  readonly scroller: RefObject<HTMLElement | null>;
  readonly layout: GridLayout | null;
}

/** Cards are rendered this far beyond the edges of the view, so that they are ready when they scroll in. */
const AHEAD_PX = 600;
const NOTHING: Visible = { range: { start: 0, end: 0 }, shift: 0 };

/** The cards in view. Renders only when whole rows enter or leave. */
export function useVisibleRange({ grid, scroller, layout }: Options): Visible {
  const [visible, setVisible] = useState<Visible>(NOTHING);

  const measure = useCallback(() => {
    if (!grid.current || !scroller.current || !layout) return;
    const viewport = scroller.current.clientHeight;
    const scrolled = scrolledInto(grid.current, scroller.current);
    const top = contentTop(layout, scrolled, viewport);
    const range = rangeBetween(layout, top - AHEAD_PX, top + viewport + AHEAD_PX);
    const shift = isScaled(layout) ? scrolled - top : 0;
    setVisible((last) =>
      last.range.start === range.start && last.range.end === range.end && last.shift === shift
        ? last
        : { range, shift },
    );
  }, [grid, scroller, layout]);

  useLayoutEffect(measure, [measure]);
  useEffect(() => {
    const element = scroller.current;
    if (!element) return;
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    element.addEventListener('scroll', measure, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', measure);
    };
  }, [scroller, measure]);
  return visible;
}
