import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { ClientScope } from '../auth/principal.js';
import { Problem } from '../common/errors/problem.js';
import type { Asset } from '../database/entities/asset.entity.js';
import { Reads } from '../database/reads.js';
import { pathOf } from '../folders/folder-tree.rules.js';
import { FoldersRepository } from '../folders/folders.repository.js';
import type { PlacedFolder } from '../folders/folders.service.js';
import type { AssetListQuery } from './asset-list.query.js';
import { AssetListingRepository, type Place } from './asset-listing.repository.js';
import { hasFilters } from './asset-listing.statements.js';
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
  readonly totalIsExact: boolean;
}

/** What one sees on opening a folder: where one is, what folders are here, a page of assets. */
@Injectable()
export class LibraryService {
  constructor(
    private readonly reads: Reads,
    private readonly listing: AssetListingRepository,
    private readonly folders: FoldersRepository,
    private readonly assets: AssetsRepository,
  ) {}

  list(scope: ClientScope, query: AssetListQuery): Promise<LibraryPage> {
    return this.reads.run(scope.clientId, hasFilters(query) ? 'heavy' : 'light', (manager) =>
      this.open(manager, scope, query),
    );
  }

  tags(scope: ClientScope): Promise<{ tag: string; assets: number }[]> {
    return this.reads.run(scope.clientId, 'heavy', (manager) => this.assets.countTags(manager, scope));
  }

  private async open(
    manager: EntityManager,
    scope: ClientScope,
    query: AssetListQuery,
  ): Promise<LibraryPage> {
    const folderId = query.folderId ?? null;
    const path = folderId === null ? [] : await this.folders.findPath(scope, folderId, manager);
    if (folderId !== null && path.length === 0) throw new Problem('folder_not_found');
    const place = await this.placeOf(manager, scope, folderId, query);
    const page = await this.listing.findPage(manager, scope, place, query);
    // With the first page only: the next pages are for the same folder.
    const children =
      query.cursor === undefined ? await this.folders.findChildren(scope, folderId, manager) : [];
    const breadcrumbs = path.map((folder, index) => ({ folder, path: pathOf(path.slice(0, index + 1)) }));
    return {
      folder: breadcrumbs.at(-1) ?? null,
      breadcrumbs,
      folders: children.map((folder) => ({ folder, path: pathOf([...path, folder]) })),
      assets: page.items,
      nextCursor: page.nextCursor,
      total: page.total,
      totalIsExact: page.totalIsExact,
    };
  }

  /** A search goes through the folder and everything below. */
  private async placeOf(
    manager: EntityManager,
    scope: ClientScope,
    folderId: string | null,
    query: AssetListQuery,
  ): Promise<Place> {
    if (!query.below && searchTerms(query.q ?? '').length === 0) return { folderId };
    return folderId === null
      ? 'everywhere'
      : { folderIds: await this.folders.findSubtreeIds(scope, folderId, manager) };
  }
}
