import type { Asset } from './asset-types';

/** The assets of one listing by position; undefined if not loaded. Memory is bounded, because distant pages are dropped. */
export interface AssetPage {
  readonly assets: readonly (Asset | undefined)[];
}

export const PAGE_SIZE = 100;

export function pageOf(index: number): number {
  return Math.floor(index / PAGE_SIZE);
}

export function pagesOf(start: number, end: number): number[] {
  if (end <= start) return [];
  const first = pageOf(start);
  return Array.from({ length: pageOf(end - 1) - first + 1 }, (_, step) => first + step);
}

export function changeAssets<P extends AssetPage>(
  page: P,
  isChanged: (asset: Asset) => boolean,
  change: (asset: Asset) => Asset,
): P {
  if (!page.assets.some((asset) => asset && isChanged(asset))) return page;
  return { ...page, assets: page.assets.map((asset) => (asset && isChanged(asset) ? change(asset) : asset)) };
}

/**
 * Removes assets from a listing immediately: the assets after them move up, across pages. Positions whose asset has not
 * been loaded are empty until the page is fetched again.
 */
export function removeAssets<P extends AssetPage>(
  pages: ReadonlyMap<number, P>,
  ids: ReadonlySet<string>,
): { pages: Map<number, P>; removed: number } {
  const numbers = [...pages.keys()].sort((a, b) => a - b);
  const kept = new Map<number, Asset | undefined>();
  let removed = 0;
  for (const number of numbers) {
    pages.get(number)!.assets.forEach((asset, position) => {
      if (asset && ids.has(asset.assetId)) removed++;
      else kept.set(number * PAGE_SIZE + position - removed, asset);
    });
  }
  if (removed === 0) return { pages: new Map(pages), removed };
  const moved = numbers.map((number): [number, P] => {
    const page = pages.get(number)!;
    const start = number * PAGE_SIZE;
    const places = Math.min(page.assets.length, lengthFrom(kept, start, page.assets.length));
    const assets = Array.from({ length: places }, (_, position) => kept.get(start + position));
    return [number, { ...page, assets }];
  });
  return { pages: new Map(moved), removed };
}

/** The last page gets shorter; a page in the middle keeps its length, with empty positions at its end. */
function lengthFrom(kept: ReadonlyMap<number, unknown>, start: number, length: number): number {
  if (length === PAGE_SIZE) return length;
  let end = length;
  while (end > 0 && !kept.has(start + end - 1)) end--;
  return end;
}
