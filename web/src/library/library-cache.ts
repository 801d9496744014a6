import type { QueryClient, QueryKey } from '@tanstack/react-query';
import { type FolderList } from './folder-tree';
import { changeAssets, removeAssets } from './asset-pages';
import type { Asset } from './asset-types';
import type { CachedPage } from './library-queries';
import type { Listing } from './library-search';

type PageKey = readonly [basePath: string, kind: 'assets', listing: Listing, page: number];

/**
 * Changes every open list before the server has confirmed the change. Take a `snapshot` first; `restore` reverts the
 * change if it is rejected.
 */
export class LibraryCache {
  constructor(
    private readonly client: QueryClient,
    private readonly basePath: string,
  ) {}

  snapshot(): () => void {
    const kept = ['assets', 'asset', 'folders'].flatMap((kind) =>
      this.client.getQueriesData({ queryKey: [this.basePath, kind] }),
    );
    return () => {
      for (const [key, data] of kept) this.client.setQueryData(key, data);
    };
  }

  /** Responses to running requests would undo the change. */
  async stopFetching(): Promise<void> {
    await Promise.all(
      ['assets', 'folders'].map((kind) => this.client.cancelQueries({ queryKey: [this.basePath, kind] })),
    );
  }

  changeAssets(ids: ReadonlySet<string>, change: (asset: Asset) => Asset): void {
    const isChanged = (asset: Asset) => ids.has(asset.assetId);
    for (const [key, page] of this.pages()) {
      const changed = changeAssets(page, isChanged, change);
      if (changed !== page) this.client.setQueryData(key, changed);
    }
    for (const id of ids) {
      this.client.setQueryData<Asset>([this.basePath, 'asset', id], (asset) => asset && change(asset));
    }
  }

  /** Removes assets from the listings that `leaves` selects. */
  removeAssets(ids: ReadonlySet<string>, leaves: (listing: Listing) => boolean): void {
    for (const [listing, pages] of this.pagesByListing()) {
      if (!leaves(listing)) continue;
      const { pages: kept, removed } = removeAssets(pages, ids);
      if (removed === 0) continue;
      for (const [page, data] of kept) {
        const total = Math.max(0, data.total - removed);
        this.client.setQueryData([this.basePath, 'assets', listing, page], { ...data, total });
      }
    }
  }

  find(assetId: string): Asset | undefined {
    for (const [, page] of this.pages()) {
      const asset = page.assets.find((each) => each?.assetId === assetId);
      if (asset) return asset;
    }
    return this.client.getQueryData<Asset>([this.basePath, 'asset', assetId]);
  }

  /** Those that are loaded, in the given order. Looks through the pages only once. */
  findMany(assetIds: ReadonlySet<string>): Asset[] {
    const found = new Map<string, Asset>();
    for (const [, page] of this.pages())
      for (const asset of page.assets)
        if (asset && assetIds.has(asset.assetId) && !found.has(asset.assetId))
          found.set(asset.assetId, asset);
    return [...assetIds].flatMap(
      (id) => found.get(id) ?? this.client.getQueryData<Asset>([this.basePath, 'asset', id]) ?? [],
    );
  }

  changeFolders(change: (list: FolderList) => FolderList): void {
    this.client.setQueryData<FolderList>([this.basePath, 'folders'], (list) => list && change(list));
  }

  folders(): FolderList | undefined {
    return this.client.getQueryData<FolderList>([this.basePath, 'folders']);
  }

  /** Pages also contain the names and parents of folders, as tiles and as breadcrumbs. */
  renameFolder(folderId: string, name: string): void {
    const rename = <F extends { folderId: string; name: string }>(folder: F): F =>
      folder.folderId === folderId ? { ...folder, name } : folder;
    this.changePages((page) => ({
      ...page,
      folder: page.folder && rename(page.folder),
      folders: page.folders.map(rename),
      breadcrumbs: page.breadcrumbs.map(rename),
    }));
  }

  removeFolder(folderId: string): void {
    this.changePages((page) => ({
      ...page,
      folders: page.folders.filter((folder) => folder.folderId !== folderId),
    }));
  }

  async refetch(...kinds: ('assets' | 'asset' | 'folders' | 'tags' | 'trash')[]): Promise<void> {
    await Promise.all(
      kinds.map((kind) => this.client.invalidateQueries({ queryKey: [this.basePath, kind] })),
    );
  }

  private changePages(change: (page: CachedPage) => CachedPage): void {
    for (const [key, page] of this.pages()) this.client.setQueryData(key, change(page));
  }

  private pages(): [QueryKey, CachedPage][] {
    return this.client
      .getQueriesData<CachedPage>({ queryKey: [this.basePath, 'assets'] })
      .filter((entry): entry is [QueryKey, CachedPage] => entry[1] !== undefined);
  }

  private pagesByListing(): Map<Listing, Map<number, CachedPage>> {
    const groups = new Map<string, [Listing, Map<number, CachedPage>]>();
    for (const [key, data] of this.pages()) {
      const [, , listing, page] = key as unknown as PageKey;
      const name = JSON.stringify(Object.entries(listing).sort());
      const group = groups.get(name) ?? [listing, new Map<number, CachedPage>()];
      group[1].set(page, data);
      groups.set(name, group);
    }
    return new Map(groups.values());
  }
}
