import { Injectable } from '@nestjs/common';
import type { ClientScope } from '../auth/principal.js';
import { Problem } from '../common/errors/problem.js';
import type { Asset } from '../database/entities/asset.entity.js';
import { pathOf } from '../folders/folder-tree.rules.js';
import { FoldersRepository } from '../folders/folders.repository.js';
import type { PlacedFolder } from '../folders/folders.service.js';
import type { AssetListQuery } from './asset-list.query.js';
import { AssetListingRepository, type Place } from './asset-listing.repository.js';
import { AssetsRepository } from './assets.repository.js';
import { searchTerms } from './search.rules.js';

export interface LibraryPage {
  /** Null: the top level. */
  readonly folder: PlacedFolder | null;
  readonly breadcrumbs: PlacedFolder[];
  readonly folders: PlacedFolder[];
  readonly assets: Asset[];
  readonly nextCursor: string | null;
  readonly total: number;
}

/** What one sees on opening a folder: where one is, what folders are here, a page of assets. */
@Injectable()
export class LibraryService {
  constructor(
    private readonly listing: AssetListingRepository,
    private readonly folders: FoldersRepository,
    private readonly assets: AssetsRepository,
  ) {}

  async list(scope: ClientScope, query: AssetListQuery): Promise<LibraryPage> {
    const folderId = query.folderId ?? null;
    const path = folderId === null ? [] : await this.folders.findPath(scope, folderId);
    if (folderId !== null && path.length === 0) throw new Problem('folder_not_found');
    const place = await this.placeOf(scope, folderId, query);
    const [page, total, children] = await Promise.all([
      this.listing.findPage(scope, place, query),
      this.listing.count(scope, place, query),
      // Once, with the first page: whoever scrolls on has them.
      query.cursor === undefined ? this.folders.findChildren(scope, folderId) : [],
    ]);
    const breadcrumbs = path.map((folder, index) => ({ folder, path: pathOf(path.slice(0, index + 1)) }));
    return {
      folder: breadcrumbs.at(-1) ?? null,
      breadcrumbs,
      folders: children.map((folder) => ({ folder, path: pathOf([...path, folder]) })),
      assets: page.items,
      nextCursor: page.nextCursor,
      total,
    };
  }

  tags(scope: ClientScope): Promise<{ tag: string; assets: number }[]> {
    return this.assets.countTags(scope);
  }

  /** A search goes through the folder and everything below. */
  private async placeOf(scope: ClientScope, folderId: string | null, query: AssetListQuery): Promise<Place> {
    if (searchTerms(query.q ?? '').length === 0) return { folderId };
    return folderId === null
      ? 'everywhere'
      : { folderIds: await this.folders.findSubtreeIds(scope, folderId) };
  }
}
