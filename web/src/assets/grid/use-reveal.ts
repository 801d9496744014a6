import { type RefObject, useCallback } from 'react';
import { contentTop, type GridLayout, rectOf, scrolledInto, scrollTopFor, topOf } from './grid-layout';

interface Options {
  readonly grid: RefObject<HTMLElement | null>;
  readonly scroller: RefObject<HTMLElement | null>;
  readonly layout: GridLayout | null;
}

const EDGE_PX = 16;

/** Scrolls just enough to show a card completely. */
export function useReveal({ grid, scroller, layout }: Options): (index: number) => void {
  return useCallback(
    (index) => {
      if (!grid.current || !scroller.current || !layout) return;
      const viewport = scroller.current.clientHeight;
      const scrolled = scrolledInto(grid.current, scroller.current);
      const top = contentTop(layout, scrolled, viewport);
      const { y } = rectOf(layout, index, 0);
      const start = topOf(layout, index);
      const wanted = Math.min(Math.max(top, y + layout.cardHeight + EDGE_PX - viewport), start - EDGE_PX);
      if (wanted !== top) scroller.current.scrollTop += scrollTopFor(layout, wanted, viewport) - scrolled;
    },
    [grid, scroller, layout],
  );
}
