import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { ClientScope } from '../access/principal.js';
import { newId } from '../common/ids.js';
import type { Config } from '../config/config.js';
import { InjectConfig } from '../config/config.token.js';
import type { TrashBatch } from '../database/entities/trash-batch.entity.js';
import { TrashBatchesRepository } from './trash-batches.repository.js';

/** Deleting means trashing: what was deleted together can be restored together until the retention period ends. */
@Injectable()
export class TrashBatches {
  private readonly retentionMs: number;

  constructor(
    private readonly batches: TrashBatchesRepository,
    @InjectConfig() config: Config,
  ) {
    this.retentionMs = config.trashRetentionSeconds * 1000;
  }

  restorableUntil(batch: TrashBatch): Date {
    return new Date(batch.trashedAt.getTime() + this.retentionMs);
  }

  /** Starts a batch, in the transaction that trashes its folders or assets. */
  open(
    manager: EntityManager,
    scope: ClientScope,
    content: { folderId?: string; assetId?: string | null; name: string; assets?: number },
  ): Promise<TrashBatch> {
    return this.batches.insertBatch(
      {
        id: newId(),
        clientId: scope.clientId,
        folderId: content.folderId ?? null,
        assetId: content.assetId ?? null,
        name: content.name,
        folders: 0,
        assets: content.assets ?? 0,
        trashedBy: scope.actor.email ?? scope.actor.name,
      },
      manager,
    );
  }
}
