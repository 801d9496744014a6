import { Injectable } from '@nestjs/common';
import { AuditService } from '../audit/audit.service.js';
import type { ClientScope } from '../access/principal.js';
import { Problem } from '../common/errors/problem.js';
import type { Config } from '../config/config.js';
import { InjectConfig } from '../config/config.token.js';
import { Database } from '../database/database.js';
import { type Asset, SURFACES } from '../database/entities/asset.entity.js';
import { FoldersRepository } from '../folders/folders.repository.js';
import { AssetTrashService } from './asset-trash.service.js';
import { AssetsInUse } from '../usages/assets-in-use.js';
import { parseAssetId } from '../common/asset-ref.js';
import { type AssetChange, AssetsRepository } from './assets.repository.js';
import { AssetEditsService } from './asset-edits.service.js';
import type { BulkDto } from './bulk.dto.js';
import { type BulkResult, type Fault, requireAllOk, resultsOf, tagsFault } from './bulk.rules.js';

const NONE: ReadonlySet<string> = new Set();
const NOT_IN_USE = { used: NONE, members: {} };

/** Applies one action to many assets, all or nothing. */
@Injectable()
export class BulkService {
  constructor(
    private readonly database: Database,
    private readonly assets: AssetsRepository,
    private readonly folders: FoldersRepository,
    private readonly trashing: AssetTrashService,
    private readonly inUse: AssetsInUse,
    private readonly edits: AssetEditsService,
    private readonly audit: AuditService,
    @InjectConfig() private readonly config: Config,
  ) {}

  async run(scope: ClientScope, request: BulkDto): Promise<{ results: BulkResult[]; batchId?: string }> {
    if (request.action === 'edit') return { results: await this.edits.edit(scope, request) };
    requireArguments(request);
    return this.database.transaction(async (manager) => {
      await this.folders.lockShared(scope, manager);
      if (request.action === 'move' && request.folderId) {
        const isThere = await this.folders.exists(scope, request.folderId, manager);
        if (!isThere) throw new Problem('folder_not_found');
      }
      const ids = request.assetIds.map((idOrRef) => parseAssetId(idOrRef));
      const wanted = new Set(ids.filter((id) => id !== null));
      const isTrash = request.action === 'trash';
      const others =
        isTrash && request.copiesOnly ? await this.assets.findOtherCopies(scope, [...wanted], manager) : null;
      const all = await this.assets.lock(scope, [...wanted, ...(others ?? [])], manager);
      const locked = all.filter(({ id }) => wanted.has(id));
      const last = others === null ? NONE : lastCopies(locked, all);
      const byId = new Map(locked.map((asset) => [asset.id, asset]));
      const { used, members } = isTrash
        ? await this.inUse.find(manager, scope, [...byId.keys()], request.force ?? false)
        : NOT_IN_USE;
      const results = resultsOf(request.assetIds, byId, (asset) => this.fault(asset, request, used, last));
      requireAllOk(results, members);

      if (isTrash) {
        const { id } = await this.trashing.trash(manager, scope, locked, request.force);
        return { results, batchId: id };
      }
      await this.assets.update(scope, locked, (asset) => changeOf(asset, request), manager);
      await this.audit.recordAll(
        manager,
        locked.map((asset) => ({
          ...scope,
          action: 'asset.update',
          subject: ['asset', asset.id],
          before: { folderId: asset.folderId, tags: asset.tags, allowedSurfaces: asset.allowedSurfaces },
          after: { ...changeOf(asset, request) },
        })),
      );
      return { results };
    });
  }

  /** Why the action cannot be applied to this asset, or null. */
  private fault(
    asset: Asset,
    request: BulkDto,
    used: ReadonlySet<string>,
    last: ReadonlySet<string>,
  ): Fault | null {
    if (used.has(asset.id)) return { code: 'asset_in_use' };
    if (last.has(asset.id)) return { code: 'last_copy' };
    return tagsFault(changeOf(asset, request), this.config.limits);
  }
}

/** If all copies of a file are among the given assets, the oldest of them must stay. Returns the ids of these. */
function lastCopies(given: readonly Asset[], all: readonly Asset[]): ReadonlySet<string> {
  const isGiven = new Set(given.map(({ id }) => id));
  const kept = new Set(all.filter(({ id }) => !isGiven.has(id)).map(({ sha256 }) => sha256));
  const last = new Set<string>();
  for (const { id, sha256 } of given) {
    if (kept.has(sha256)) continue;
    kept.add(sha256);
    last.add(id);
  }
  return last;
}

function changeOf(asset: Asset, request: BulkDto): AssetChange {
  const given = request.tags ?? [];
  switch (request.action) {
    case 'move':
      return { folderId: request.folderId ?? null };
    case 'addTags':
      return { tags: [...new Set([...asset.tags, ...given])] };
    case 'removeTags':
      return { tags: asset.tags.filter((tag) => !given.includes(tag)) };
    case 'setSurfaces':
      return { allowedSurfaces: SURFACES.filter((surface) => request.allowedSurfaces?.includes(surface)) };
    case 'trash':
    case 'edit':
      return {};
  }
}

/** Each action requires its own argument: omitting it is more likely a mistake than intended. */
function requireArguments({ action, folderId, tags, allowedSurfaces, dryRun }: BulkDto): void {
  if (dryRun) throw Problem.validation('dryRun', 'dryRun is only possible for edit');
  if (action === 'move' && folderId === undefined)
    throw Problem.validation('folderId', 'folderId is required; null means the top level');
  if ((action === 'addTags' || action === 'removeTags') && !tags?.length)
    throw Problem.validation('tags', 'tags is required');
  if (action === 'setSurfaces' && allowedSurfaces === undefined) {
    throw Problem.validation(
      'allowedSurfaces',
      'allowedSurfaces is required; an empty list means every surface',
    );
  }
}
