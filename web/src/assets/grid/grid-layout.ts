/** Computes the positions of cards without measuring any element. */
export interface GridLayout {
  readonly columns: number;
  readonly cardWidth: number;
  readonly cardHeight: number;
  readonly rowHeight: number;
  /** The height of all rows, which can exceed what a browser can lay out. */
  readonly contentHeight: number;
  /** The height of the scrolling element. */
  readonly scrollHeight: number;
}

export interface Rect {
  readonly x: number;
  readonly y: number;
}

export interface GridOptions {
  readonly count: number;
  readonly width: number;
  readonly minCardWidth: number;
  readonly gap: number;
  readonly caption: number;
  readonly minColumns: number;
}

/** Chromium cannot lay out elements higher than 33,554,432 px. */
export const MAX_SCROLL_HEIGHT = 30_000_000;

export function gridLayout(options: GridOptions): GridLayout {
  const { count, width, minCardWidth, gap, caption, minColumns } = options;
  const columns = Math.max(minColumns, Math.floor((width + gap) / (minCardWidth + gap)), 1);
  const cardWidth = Math.max(0, (width - gap * (columns - 1)) / columns);
  const cardHeight = Math.round((cardWidth * 3) / 4) + caption;
  return withHeights({ count, columns, cardWidth, cardHeight, rowHeight: cardHeight + gap });
}

export function listLayout(count: number, width: number, rowHeight: number): GridLayout {
  return withHeights({ count, columns: 1, cardWidth: width, cardHeight: rowHeight, rowHeight });
}

function withHeights({
  count,
  ...layout
}: Omit<GridLayout, 'contentHeight' | 'scrollHeight'> & { count: number }): GridLayout {
  const contentHeight = Math.ceil(count / layout.columns) * layout.rowHeight;
  return { ...layout, contentHeight, scrollHeight: Math.min(contentHeight, MAX_SCROLL_HEIGHT) };
}

export function isScaled(layout: GridLayout): boolean {
  return layout.contentHeight > layout.scrollHeight;
}

/** The position of a card in the content; its left edge is a multiple of the column width. */
export function rectOf(layout: GridLayout, index: number, gap: number): Rect {
  const column = index % layout.columns;
  return {
    x: column * (layout.cardWidth + gap),
    y: Math.floor(index / layout.columns) * layout.rowHeight,
  };
}

/** Converts scroll positions to content positions and back. They differ only if the content is too high for a browser. */
export function contentTop(layout: GridLayout, scrollTop: number, viewport: number): number {
  return isScaled(layout) ? scrollTop * scaleOf(layout, viewport) : scrollTop;
}

export function scrollTopFor(layout: GridLayout, top: number, viewport: number): number {
  return isScaled(layout) ? top / scaleOf(layout, viewport) : top;
}

/** How far the grid, which begins below the folders, is scrolled. */
export function scrolledInto(grid: HTMLElement, scroller: HTMLElement): number {
  return scroller.getBoundingClientRect().top - grid.getBoundingClientRect().top;
}

function scaleOf(layout: GridLayout, viewport: number): number {
  return (layout.contentHeight - viewport) / Math.max(1, layout.scrollHeight - viewport);
}

export interface Range {
  readonly start: number;
  /** Exclusive. */
  readonly end: number;
}

/** The cards between two heights, in whole rows. */
export function rangeBetween(layout: GridLayout, count: number, top: number, bottom: number): Range {
  const firstRow = Math.max(0, Math.floor(top / layout.rowHeight));
  const endRow = Math.max(firstRow, Math.ceil(bottom / layout.rowHeight));
  return {
    start: Math.min(count, firstRow * layout.columns),
    end: Math.min(count, endRow * layout.columns),
  };
}

export type Step = 'left' | 'right' | 'up' | 'down' | 'home' | 'end' | 'pageUp' | 'pageDown';

/** The card that a key moves to. */
export function stepFrom(
  layout: GridLayout,
  count: number,
  index: number,
  step: Step,
  viewport: number,
): number {
  const { columns, rowHeight } = layout;
  const last = count - 1;
  const rows = Math.max(1, Math.floor(viewport / rowHeight));
  switch (step) {
    case 'left':
      return Math.max(0, index - 1);
    case 'right':
      return Math.min(last, index + 1);
    case 'up':
      return index - columns < 0 ? index : index - columns;
    case 'down':
      return downFrom(index, columns, last);
    case 'home':
      return 0;
    case 'end':
      return last;
    case 'pageUp':
      return Math.max(index % columns, index - rows * columns);
    case 'pageDown':
      return Math.min(last, index + rows * columns);
  }
}

/** From the row above an incomplete last row, down moves to the last card. */
function downFrom(index: number, columns: number, last: number): number {
  if (index + columns <= last) return index + columns;
  const isInLastRow = Math.floor(index / columns) === Math.floor(last / columns);
  return isInLastRow ? index : last;
}
