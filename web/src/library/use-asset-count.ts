import { useState } from 'react';
import type { FolderTree } from './folder-tree';
import { PAGE_SIZE } from './asset-pages';
import { RECENT_LIMIT } from './recent';
import { isNarrowed, type Listing } from './library-search';
import { useLibrary } from './use-library';

export interface AssetCount {
  readonly count: number;
  readonly isExact: boolean;
}

const SHOWN_BEFORE_KNOWN = 12;

/** The number of cards. If counting is too expensive, the list grows as the user reaches its end. */
export function useAssetCount(): AssetCount {
  const { first, listing, tree, reader, recent } = useLibrary();
  const [grown, setGrown] = useState({ reader, count: 0 });
  if (!first)
    return {
      count: isNarrowed(listing) ? SHOWN_BEFORE_KNOWN : knownFrom(tree, listing),
      isExact: true,
    };
  if (recent) return { count: recent.order.length, isExact: true };
  if (first.totalIsExact) return { count: first.total, isExact: true };
  const lastPage = Math.max(0, ...reader.loadedPages());
  const page = reader.page(lastPage);
  const seen = lastPage * PAGE_SIZE + (page?.assets.length ?? 0) + (page?.nextCursor ? PAGE_SIZE : 0);
  const known = grown.reader === reader ? grown.count : 0;
  const count = page && !page.nextCursor ? seen : Math.max(first.total, known, seen);
  if (count !== known || grown.reader !== reader) setGrown({ reader, count });
  return { count, isExact: page !== undefined && !page.nextCursor };
}

/** The tree contains the number of assets in a folder before the folder itself is loaded. */
function knownFrom(tree: FolderTree | undefined, { view, folder, below }: Listing): number {
  if (!tree) return SHOWN_BEFORE_KNOWN;
  if (view === 'recent') return Math.min(tree.totalAssets, RECENT_LIMIT);
  if (folder === undefined) return below ? tree.totalAssets : tree.assetsAtTop;
  return tree.byId.get(folder)?.[below ? 'totalAssets' : 'assets'] ?? SHOWN_BEFORE_KNOWN;
}
