import type { QueryClient } from '@tanstack/react-query';
import { PAGE_SIZE, pageOf } from './asset-pages';
import type { Asset } from './asset-types';
import { type CachedPage, listingKey } from './library-queries';
import type { Listing } from './library-search';

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
