import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { ActivityService } from '../audit/activity.service.js';
import type { NamedEvent } from '../audit/audit.dto.js';
import { AuditService } from '../audit/audit.service.js';
import type { ClientScope } from '../access/principal.js';
import { Problem } from '../common/errors/problem.js';
import { decodeCursor, isUuidText, type Page, type PageQuery, toPage } from '../common/paging/page.js';
import { Database } from '../database/database.js';
import { type Asset, SURFACES } from '../database/entities/asset.entity.js';
import type { TrashBatch } from '../database/entities/trash-batch.entity.js';
import type { Usage } from '../database/entities/usage.entity.js';
import { FoldersRepository } from '../folders/folders.repository.js';
import { TrashBatchesRepository } from '../trash-batches/trash-batches.repository.js';
import { JobQueue } from '../jobs/job-queue.js';
import { UsagesRepository } from '../usages/usages.repository.js';
import { deleteOldFits } from './old-fits.js';
import { AssetTrashService } from './asset-trash.service.js';
import { parseAssetId } from '../common/asset-ref.js';
import { type AssetChange, AssetsRepository } from './assets.repository.js';

@Injectable()
export class AssetsService {
  constructor(
    private readonly database: Database,
    private readonly assets: AssetsRepository,
    private readonly folders: FoldersRepository,
    private readonly trashing: AssetTrashService,
    private readonly batches: TrashBatchesRepository,
    private readonly usages: UsagesRepository,
    private readonly audit: AuditService,
    private readonly activity: ActivityService,
    private readonly queue: JobQueue,
  ) {}

  /** By id or `assetRef`. */
  async get(scope: ClientScope, idOrRef: string): Promise<Asset> {
    const id = requireAssetId(idOrRef);
    const asset = await this.assets.findById(scope, id);
    if (asset !== null) return asset;
    const inTrash = await this.batches.holdsAsset(scope, id);
    throw new Problem('asset_not_found', undefined, inTrash ? { extra: { inTrash } } : {});
  }

  /** Newest first. */
  async listUsages(scope: ClientScope, idOrRef: string, query: PageQuery): Promise<Page<Usage>> {
    const before = decodeCursor(query.cursor, isUuidText);
    const { id } = await this.get(scope, idOrRef);
    const rows = await this.usages.findOfAsset(scope, id, before, query.limit + 1);
    return toPage(rows, query.limit, (usage) => usage.id);
  }

  /** Newest first, also while the asset is in the trash. */
  async listActivity(scope: ClientScope, idOrRef: string, page: PageQuery): Promise<Page<NamedEvent>> {
    const assetId = requireAssetId(idOrRef);
    const exists = (await this.assets.findById(scope, assetId)) !== null;
    if (!exists && !(await this.batches.holdsAsset(scope, assetId))) throw new Problem('asset_not_found');
    return this.activity.list(scope, { ...page, assetId });
  }

  /** `version`: the expected version, or null for any. */
  async update(
    scope: ClientScope,
    idOrRef: string,
    change: AssetChange,
    version: number | null,
  ): Promise<Asset> {
    return this.database.transaction(async (manager) => {
      await this.folders.lockShared(scope, manager);
      const folderIsThere = !change.folderId || (await this.folders.exists(scope, change.folderId, manager));
      const asset = await this.lock(manager, scope, idOrRef, version);
      if (!folderIsThere) throw new Problem('folder_not_found');
      const normal = normalized(change);
      await this.assets.update(scope, [asset], () => normal, manager);
      if (normal.focalPoint !== undefined) await this.queue.add(manager, deleteOldFits(asset));
      await this.audit.record(manager, {
        ...scope,
        action: 'asset.update',
        subject: ['asset', asset.id],
        before: Object.fromEntries(Object.keys(normal).map((field) => [field, asset[field as keyof Asset]])),
        after: normal,
      });
      return (await this.assets.findById(scope, asset.id, manager))!;
    });
  }

  async trash(
    scope: ClientScope,
    idOrRef: string,
    version: number | null,
    force = false,
  ): Promise<{ asset: Asset; batch: TrashBatch }> {
    return this.database.transaction(async (manager) => {
      await this.folders.lockShared(scope, manager);
      const asset = await this.lock(manager, scope, idOrRef, version);
      return { asset, batch: await this.trashing.trash(manager, scope, [asset], force) };
    });
  }

  private async lock(
    manager: EntityManager,
    scope: ClientScope,
    idOrRef: string,
    version: number | null,
  ): Promise<Asset> {
    const [asset] = await this.assets.lock(scope, [requireAssetId(idOrRef)], manager);
    if (asset === undefined) throw new Problem('asset_not_found');
    if (version !== null && asset.version !== version) {
      throw new Problem('version_mismatch', `The asset is at version ${asset.version}.`, {
        extra: { version: asset.version },
      });
    }
    return asset;
  }
}

/** Parses an id or an `assetRef`. */
export function requireAssetId(idOrRef: string): string {
  const id = parseAssetId(idOrRef);
  if (id === null) throw new Problem('asset_not_found');
  return id;
}

/** Only the given fields, surfaces in their usual order, and the focal point rounded to what a pixel needs. */
function normalized(change: AssetChange): AssetChange {
  const given = Object.entries(change).filter(([, value]) => value !== undefined);
  const { allowedSurfaces, focalPoint } = change;
  return {
    ...(Object.fromEntries(given) as AssetChange),
    ...(allowedSurfaces
      ? { allowedSurfaces: SURFACES.filter((surface) => allowedSurfaces.includes(surface)) }
      : {}),
    ...(focalPoint ? { focalPoint: { x: sixDecimals(focalPoint.x), y: sixDecimals(focalPoint.y) } } : {}),
  };
}

function sixDecimals(value: number): number {
  return Math.round(value * 1e6) / 1e6;
}
