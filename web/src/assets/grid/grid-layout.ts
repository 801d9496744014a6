/** Computes the positions of cards without measuring any element. */
export interface GridLayout {
  readonly columns: number;
  readonly cardWidth: number;
  readonly cardHeight: number;
  readonly rowHeight: number;
  /** Above each section; 0 if there is only one. */
  readonly headingHeight: number;
  /** In order, and without gaps. */
  readonly sections: readonly Section[];
  /** The height of all rows, which can exceed what a browser can lay out. */
  readonly contentHeight: number;
  /** The height of the scrolling element. */
  readonly scrollHeight: number;
}

/** Cards below a heading. Each section begins a new row. */
export interface Section {
  /** The index of its first card. */
  readonly start: number;
  /** Exclusive. */
  readonly end: number;
  /** The position of its heading in the content. */
  readonly top: number;
}

export interface Sections {
  readonly headingHeight: number;
  /** The index of the first card of each. */
  readonly starts: readonly number[];
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
  readonly sections?: Sections;
}

const ONE_SECTION: Sections = { headingHeight: 0, starts: [0] };

/** Chromium cannot lay out elements higher than 33,554,432 px. */
export const MAX_SCROLL_HEIGHT = 30_000_000;

export function gridLayout(options: GridOptions): GridLayout {
  const { count, width, minCardWidth, gap, caption, minColumns, sections } = options;
  const columns = Math.max(minColumns, Math.floor((width + gap) / (minCardWidth + gap)), 1);
  const cardWidth = Math.max(0, (width - gap * (columns - 1)) / columns);
  const cardHeight = Math.round((cardWidth * 3) / 4) + caption;
  return withSections({ columns, cardWidth, cardHeight, rowHeight: cardHeight + gap }, count, sections);
}

export function listLayout(count: number, width: number, rowHeight: number, sections?: Sections): GridLayout {
  return withSections({ columns: 1, cardWidth: width, cardHeight: rowHeight, rowHeight }, count, sections);
}

function withSections(
  cards: Pick<GridLayout, 'columns' | 'cardWidth' | 'cardHeight' | 'rowHeight'>,
  count: number,
  { headingHeight, starts }: Sections = ONE_SECTION,
): GridLayout {
  let contentHeight = 0;
  const sections = starts.map((start, number): Section => {
    const end = starts[number + 1] ?? count;
    const top = contentHeight;
    contentHeight += headingHeight + Math.ceil((end - start) / cards.columns) * cards.rowHeight;
    return { start, end, top };
  });
  const scrollHeight = Math.min(contentHeight, MAX_SCROLL_HEIGHT);
  return { ...cards, headingHeight, sections, contentHeight, scrollHeight };
}

export function isScaled(layout: GridLayout): boolean {
  return layout.contentHeight > layout.scrollHeight;
}

/** The position of a card in the content; its left edge is a multiple of the column width. */
export function rectOf(layout: GridLayout, index: number, gap: number): Rect {
  const { start, top } = layout.sections[sectionOf(layout, index)]!;
  const place = index - start;
  return {
    x: (place % layout.columns) * (layout.cardWidth + gap),
    y: top + layout.headingHeight + Math.floor(place / layout.columns) * layout.rowHeight,
  };
}

/** The number of the section that contains a card. */
export function sectionOf({ sections }: GridLayout, index: number): number {
  return Math.max(
    0,
    sections.findLastIndex(({ start }) => start <= index),
  );
}

/** The position to which a card is scrolled: below a heading, the heading is shown too. */
export function topOf(layout: GridLayout, index: number): number {
  const { y } = rectOf(layout, index, 0);
  const { start } = layout.sections[sectionOf(layout, index)]!;
  return index - start < layout.columns ? y - layout.headingHeight : y;
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
export function rangeBetween(layout: GridLayout, top: number, bottom: number): Range {
  const start = rowAt(layout, top, Math.floor);
  return { start, end: Math.max(start, rowAt(layout, bottom, Math.ceil)) };
}

/** The index of the first card of the row at a height. */
function rowAt(layout: GridLayout, y: number, round: (rows: number) => number): number {
  const { sections, headingHeight, rowHeight, columns } = layout;
  const { start, end, top } =
    sections[
      Math.max(
        0,
        sections.findLastIndex((section) => section.top <= y),
      )
    ]!;
  const row = Math.max(0, round((y - top - headingHeight) / rowHeight));
  return Math.min(end, start + row * columns);
}

/** The sections that have cards in a range, each with its number. */
export function sectionsIn({ sections }: GridLayout, { start, end }: Range): [Section, number][] {
  return sections
    .map((section, number): [Section, number] => [section, number])
    .filter(([section]) => section.start < end && section.end > start);
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
  const last = count - 1;
  const rows = Math.max(1, Math.floor(viewport / layout.rowHeight));
  switch (step) {
    case 'left':
      return Math.max(0, index - 1);
    case 'right':
      return Math.min(last, index + 1);
    case 'up':
      return upFrom(layout, index);
    case 'down':
      return downFrom(layout, index);
    case 'home':
      return 0;
    case 'end':
      return last;
    case 'pageUp':
      return repeat(rows, index, (from) => upFrom(layout, from));
    case 'pageDown':
      return repeat(rows, index, (from) => downFrom(layout, from));
  }
}

function repeat(times: number, start: number, move: (from: number) => number): number {
  let index = start;
  for (let n = 0; n < times; n++) index = move(index);
  return index;
}

/** From the first row of a section, up moves to the last row of the section above. */
function upFrom(layout: GridLayout, index: number): number {
  const { columns, sections } = layout;
  const number = sectionOf(layout, index);
  const { start } = sections[number]!;
  if (index - columns >= start) return index - columns;
  const above = sections[number - 1];
  if (!above) return index;
  const lastRow = Math.floor((above.end - 1 - above.start) / columns) * columns;
  return Math.min(above.end - 1, above.start + lastRow + index - start);
}

/** From the row above an incomplete last row, down moves to the last card; from a last row, to the section below. */
function downFrom(layout: GridLayout, index: number): number {
  const { columns, sections } = layout;
  const number = sectionOf(layout, index);
  const { start, end } = sections[number]!;
  if (index + columns < end) return index + columns;
  const rowOf = (each: number) => Math.floor((each - start) / columns);
  if (rowOf(index) !== rowOf(end - 1)) return end - 1;
  const below = sections[number + 1];
  return below ? Math.min(below.end - 1, below.start + ((index - start) % columns)) : index;
}
