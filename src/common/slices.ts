/**
 * Rows with the longest texts allowed take about 25 KB: with 50 at a time, neither a statement nor its result blocks the event loop for
 * longer than a few milliseconds.
 */
export const ROWS_AT_ONCE = 50;

export function slicesOf<T>(items: readonly T[], size: number): T[][] {
  const slices: T[][] = [];
  for (let start = 0; start < items.length; start += size) slices.push(items.slice(start, start + size));
  return slices;
}
