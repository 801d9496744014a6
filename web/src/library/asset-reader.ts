import type { QueryClient } from '@tanstack/react-query';
import { PAGE_SIZE, pageOf } from './asset-pages';
import type { Asset } from './asset-types';
import { type CachedPage, listingKey, pageQuery } from './library-queries';
import type { Listing } from './library-search';

/** How many pages to load in search of an asset. */
const PAGES_SEARCHED = 5;

/** Reads the loaded assets of a listing by position. */
export class AssetReader {
  constructor(
    private readonly client: QueryClient,
    private readonly basePath: string,
    private readonly listing: Listing,
    /** Shown until the first page of the listing is loaded. */
    private readonly last: CachedPage | undefined,
    /** For each position, where the listing has the asset; in the order of the listing by default. */
    private readonly order?: readonly number[],
  ) {}

  page(number: number): CachedPage | undefined {
    const page = this.client.getQueryData<CachedPage>([...listingKey(this.basePath, this.listing), number]);
    return page ?? (number === 0 ? this.last : undefined);
  }

  assetAt(index: number): Asset | undefined {
    return this.assetReader()(index);
  }

  /** For many positions: looks up each page only once. */
  assetReader(): (index: number) => Asset | undefined {
    const pages = new Map<number, CachedPage | undefined>();
    return (position) => {
      const index = this.order ? this.order[position] : position;
      if (index === undefined) return undefined;
      const number = pageOf(index);
      if (!pages.has(number)) pages.set(number, this.page(number));
      return pages.get(number)?.assets[index % PAGE_SIZE];
    };
  }

  idReader(): (index: number) => string | undefined {
    const assetAt = this.assetReader();
    return (index) => assetAt(index)?.assetId;
  }

  indexOf(assetId: string): number | null {
    for (const number of this.loadedPages()) {
      const position = this.page(number)?.assets.findIndex((asset) => asset?.assetId === assetId) ?? -1;
      if (position >= 0) return this.positionOf(number * PAGE_SIZE + position);
    }
    return null;
  }

  /** The places of all loaded assets in the listing, whatever the order in which they are shown. */
  places(): Map<string, number> {
    const places = new Map<string, number>();
    for (const number of this.loadedPages())
      this.page(number)?.assets.forEach((asset, position) => {
        if (asset) places.set(asset.assetId, number * PAGE_SIZE + position);
      });
    return places;
  }

  /** The positions at which all loaded assets are shown. */
  positions(): Map<string, number> {
    const places = this.places();
    if (!this.order) return places;
    const ids = new Map([...places].map(([assetId, index]) => [index, assetId]));
    const shown = this.order.map((index) => ids.get(index));
    return new Map(
      shown.flatMap((assetId, position) => (assetId === undefined ? [] : [[assetId, position]])),
    );
  }

  /** Loads pages around a place in the listing until one contains the asset, and returns its position. Null if none of them does. */
  async locate(assetId: string, near: number): Promise<number | null> {
    const scope = { basePath: this.basePath };
    for (const number of pagesAround(pageOf(near))) {
      const position = this.indexOf(assetId);
      if (position !== null) return position;
      // A place beyond the last one is rejected.
      await this.client.ensureQueryData(pageQuery(scope, this.listing, number)).catch(() => undefined);
    }
    return this.indexOf(assetId);
  }

  private positionOf(index: number): number | null {
    if (!this.order) return index;
    const position = this.order.indexOf(index);
    return position < 0 ? null : position;
  }

  countLoaded(isCounted: (asset: Asset) => boolean): number {
    return [...new Set([0, ...this.loadedPages()])].reduce(
      (sum, number) =>
        sum + (this.page(number)?.assets ?? []).filter((asset) => asset && isCounted(asset)).length,
      0,
    );
  }

  loadedPages(): number[] {
    return this.client
      .getQueryCache()
      .findAll({ queryKey: listingKey(this.basePath, this.listing) })
      .map(({ queryKey }) => queryKey[3] as number);
  }

  /** Keeps only the loaded pages that are nearest to the view, so that memory is bounded. */
  dropFarPages(from: number, keep: number): void {
    const far = this.loadedPages()
      .filter((number) => number !== 0)
      .sort((a, b) => Math.abs(a - from) - Math.abs(b - from))
      .slice(keep);
    for (const number of far)
      this.client.removeQueries({
        queryKey: [...listingKey(this.basePath, this.listing), number],
        exact: true,
        type: 'inactive',
      });
  }
}

/** The nearest first. */
function pagesAround(page: number): number[] {
  return Array.from({ length: 2 * PAGES_SEARCHED }, (_, step) =>
    step % 2 === 0 ? page + step / 2 : page - (step + 1) / 2,
  )
    .filter((number) => number >= 0)
    .slice(0, PAGES_SEARCHED);
}
