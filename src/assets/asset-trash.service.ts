import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { ClientScope } from '../access/principal.js';
import { AuditService } from '../audit/audit.service.js';
import type { Asset } from '../database/entities/asset.entity.js';
import type { TrashBatch } from '../database/entities/trash-batch.entity.js';
import { TrashBatches } from '../trash-batches/trash-batches.js';
import { TrashBatchesRepository } from '../trash-batches/trash-batches.repository.js';
import { AssetsInUse } from '../usages/assets-in-use.js';

/** Moves assets to the trash. */
@Injectable()
export class AssetTrashService {
  constructor(
    private readonly batches: TrashBatches,
    private readonly repository: TrashBatchesRepository,
    private readonly inUse: AssetsInUse,
    private readonly audit: AuditService,
  ) {}

  /** Assets that the caller has locked in this transaction, as one batch. `force`: even if references use them. */
  async trash(
    manager: EntityManager,
    scope: ClientScope,
    assets: readonly Asset[],
    force = false,
  ): Promise<TrashBatch> {
    await this.inUse.rejectInUse(manager, scope, { assetIds: assets.map(({ id }) => id) }, force);
    const [first] = assets;
    const others = assets.length - 1;
    const batch = await this.batches.open(manager, scope, {
      assetId: others === 0 ? first!.id : null,
      name: others === 0 ? first!.title : `${first!.title} and ${others} more`,
      assets: assets.length,
    });
    await this.repository.trashAssets(
      scope,
      assets.map(({ id }) => id),
      batch.id,
      manager,
    );
    await this.audit.recordAll(
      manager,
      assets.map((asset) => ({
        ...scope,
        action: 'asset.trash',
        subject: ['asset', asset.id],
        before: { title: asset.title, ...(force ? { force } : {}) },
        after: { batchId: batch.id },
      })),
    );
    return batch;
  }
}
