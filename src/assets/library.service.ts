import { Injectable } from '@nestjs/common';
import type { ClientScope } from '../access/principal.js';
import type { ActorDto } from '../audit/audit.dto.js';
import { Problem } from '../common/errors/problem.js';
import type { Asset } from '../database/entities/asset.entity.js';
import type { Folder } from '../database/entities/folder.entity.js';
import type { Queries } from '../database/queries.js';
import { Reads } from '../database/reads.js';
import { pathOf } from '../folders/folder-tree.rules.js';
import { FoldersRepository } from '../folders/folders.repository.js';
import type { PlacedFolder } from '../folders/folders.service.js';
import { TrashBatchesRepository } from '../trash-batches/trash-batches.repository.js';
import { type AssetListQuery, ME } from './asset-list.query.js';
import { AssetListingRepository, type Place } from './asset-listing.repository.js';
import { type AssetFilter, hasFilters } from './asset-listing.statements.js';
import { creatorsFor, seesAgency } from './creators.rules.js';
import { AssetsRepository } from './assets.repository.js';
import { searchTerms } from './search.rules.js';
import { listedSurface } from './surface-gate.rules.js';

export interface LibraryPage {
  /** Null means the top level. */
  readonly folder: PlacedFolder | null;
  readonly breadcrumbs: PlacedFolder[];
  readonly folders: PlacedFolder[];
  readonly assets: Asset[];
  readonly nextCursor: string | null;
  readonly total: number;
  readonly totalIsExact: boolean;
}

/** Skipping more than this takes tens of milliseconds. */
const LIGHT_OFFSET = 20_000;

/** What a user sees when opening a folder: the path, the subfolders and a page of assets. */
@Injectable()
export class LibraryService {
  constructor(
    private readonly reads: Reads,
    private readonly listing: AssetListingRepository,
    private readonly folders: FoldersRepository,
    private readonly assets: AssetsRepository,
    private readonly batches: TrashBatchesRepository,
  ) {}

  async list(scope: ClientScope, asked: AssetListQuery): Promise<LibraryPage> {
    if (asked.offset !== undefined && asked.cursor !== undefined)
      throw Problem.validation('offset', 'offset and cursor cannot be used together');
    if (asked.fitVerdict !== undefined && asked.fitFor === undefined)
      throw Problem.validation('fitVerdict', 'can only be used together with fitFor');
    const surface = listedSurface(scope.actor, asked.surface);
    const query = { ...asked, surface, ...creatorAskedFor(scope, asked) };
    const isHeavy = hasFilters(query) || (query.offset ?? 0) > LIGHT_OFFSET;
    return this.reads.run(scope.clientId, isHeavy ? 'heavy' : 'light', (queries) =>
      this.open(queries, scope, query),
    );
  }

  creators(scope: ClientScope): Promise<ActorDto[]> {
    return this.reads.run(scope.clientId, 'heavy', async (queries) =>
      creatorsFor(scope.actor, await this.listing.findCreators(scope, queries)),
    );
  }

  tags(scope: ClientScope): Promise<{ tag: string; assets: number }[]> {
    return this.reads.run(scope.clientId, 'heavy', (queries) => this.assets.countTags(scope, queries));
  }

  private async open(queries: Queries, scope: ClientScope, query: AssetFilter): Promise<LibraryPage> {
    const folderId = query.folderId ?? null;
    // Only the first page contains folders: the next pages are for the same folder.
    const isFirst = query.cursor === undefined && !query.offset;
    const { path, children } = await this.findFolders(queries, scope, folderId, isFirst);
    const place = await this.placeOf(queries, scope, folderId, query);
    const page = await this.listing.findPage(scope, place, query, queries);
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

  private async findFolders(
    queries: Queries,
    scope: ClientScope,
    folderId: string | null,
    withChildren: boolean,
  ): Promise<{ path: Folder[]; children: Folder[] }> {
    if (folderId === null)
      return {
        path: [],
        children: withChildren ? await this.folders.findChildren(scope, null, queries) : [],
      };
    const found = withChildren
      ? await this.folders.findPathAndChildren(scope, folderId, queries)
      : { path: await this.folders.findPath(scope, folderId, queries), children: [] };
    if (found.path.length > 0) return found;
    const inTrash = await this.batches.holdsFolder(scope, folderId, queries);
    throw new Problem('folder_not_found', undefined, inTrash ? { extra: { inTrash } } : {});
  }

  /** A search includes everything below the folder. */
  private async placeOf(
    queries: Queries,
    scope: ClientScope,
    folderId: string | null,
    query: AssetFilter,
  ): Promise<Place> {
    if (!query.below && searchTerms(query.q ?? '').length === 0) return { folderId };
    return folderId === null
      ? 'everywhere'
      : { folderIds: await this.folders.findSubtreeIds(scope, folderId, queries) };
  }
}

/** Users of the portal cannot find out which assets a member of the agency uploaded, even with the id. */
function creatorAskedFor(
  { actor }: ClientScope,
  { createdBy }: AssetListQuery,
): Pick<AssetFilter, 'createdBy' | 'onlyPortalUsers'> {
  if (createdBy === ME) return { createdBy: actor.id };
  return { createdBy, onlyPortalUsers: !seesAgency(actor) };
}
