import { gridLayout, rangeBetween, rectOf, type Step, stepFrom, topOf } from './grid-layout';

const COUNT = 12;
const HEADING = 44;
/** Four columns: rows of 4, 2 | 1 | 4, 1 cards. */
const layout = gridLayout({
  count: COUNT,
  width: 784,
  minCardWidth: 184,
  gap: 16,
  caption: 52,
  minColumns: 1,
  sections: { headingHeight: HEADING, starts: [0, 6, 7] },
});
const { rowHeight } = layout;
const step = (from: number, key: Step, viewport = rowHeight * 2) =>
  stepFrom(layout, COUNT, from, key, viewport);

describe('A grid with headings', () => {
  it('begins a new row below each heading', () => {
    const places = Array.from({ length: COUNT }, (_, index) => rectOf(layout, index, 16));
    expect(places.map(({ x }) => x / 200)).toEqual([0, 1, 2, 3, 0, 1, 0, 0, 1, 2, 3, 0]);
    expect(places.map(({ y }) => y)).toEqual([
      ...Array<number>(4).fill(HEADING),
      ...Array<number>(2).fill(HEADING + rowHeight),
      HEADING * 2 + rowHeight * 2,
      ...Array<number>(4).fill(HEADING * 3 + rowHeight * 3),
      HEADING * 3 + rowHeight * 4,
    ]);
    expect(layout.contentHeight).toBe(HEADING * 3 + rowHeight * 5);
  });

  it('finds all cards between two heights, whatever the heights', () => {
    for (let top = -100; top < layout.contentHeight + 100; top += 23)
      for (const viewport of [1, 90, 400, 2000]) {
        const { start, end } = rangeBetween(layout, top, top + viewport);
        for (let index = 0; index < COUNT; index++) {
          const { y } = rectOf(layout, index, 16);
          const isShown = y < top + viewport && y + layout.cardHeight > top;
          if (isShown) expect([top, viewport, index >= start && index < end]).toEqual([top, viewport, true]);
        }
        expect(end).toBeGreaterThanOrEqual(start);
      }
  });

  it('moves up and down over headings, in the same column where there is one', () => {
    expect([0, 1, 3, 5, 6, 8].map((from) => step(from, 'down'))).toEqual([4, 5, 5, 6, 7, 11]);
    expect([11, 9, 6, 5, 4, 2].map((from) => step(from, 'up'))).toEqual([7, 6, 4, 1, 0, 2]);
    expect([step(0, 'pageDown'), step(11, 'pageUp'), step(6, 'home'), step(6, 'end')]).toEqual([6, 6, 0, 11]);
  });

  it('shows a heading with the cards right below it', () => {
    expect([0, 4, 6].map((index) => rectOf(layout, index, 16).y - topOf(layout, index))).toEqual([44, 0, 44]);
  });
});
