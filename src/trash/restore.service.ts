import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { AuditService } from '../audit/audit.service.js';
import type { ClientScope } from '../access/principal.js';
import { Problem } from '../common/errors/problem.js';
import { isUuid } from '../common/ids.js';
import type { Folder } from '../database/entities/folder.entity.js';
import type { TrashBatch } from '../database/entities/trash-batch.entity.js';
import { MAX_DEPTH, nameKeyOf, restoredNames } from '../folders/folder-name.rules.js';
import { FolderStructure } from '../folders/folder-structure.js';
import { FoldersRepository } from '../folders/folders.repository.js';
import { TrashBatchesRepository } from '../trash-batches/trash-batches.repository.js';

/** The number of names per lookup. */
const NAMES = 100;

@Injectable()
export class RestoreService {
  constructor(
    private readonly structure: FolderStructure,
    private readonly trash: TrashBatchesRepository,
    private readonly folders: FoldersRepository,
    private readonly audit: AuditService,
  ) {}

  /** Restores a batch to its place: to the top level if its parent is gone, under another name if its own is taken. */
  async restore(scope: ClientScope, batchId: string): Promise<TrashBatch> {
    return this.structure.change(scope.clientId, async (manager) => {
      const batch = isUuid(batchId) ? await this.trash.lockBatch(scope, batchId, manager) : null;
      if (batch === null) throw new Problem('trash_batch_not_found');
      if (batch.folderId !== null) await this.restoreFolders(manager, scope, batch.id, batch.folderId);
      // Only assets that were trashed themselves carry the batch. Those in its folders are live again with them.
      await this.trash.reviveAssets(scope, batch.id, manager);
      await this.trash.deleteBatch(scope, batch.id, manager);
      await this.audit.record(manager, {
        ...scope,
        action: 'trash.restore',
        subject: ['trash_batch', batch.id],
        after: {
          name: batch.name,
          folders: batch.folders,
          assets: batch.assets,
          ...(batch.assetId === null ? {} : { assetId: batch.assetId }),
          ...(batch.folderId === null ? {} : { folderId: batch.folderId }),
        },
      });
      return batch;
    });
  }

  /** The contents of the folders are restored with them. */
  private async restoreFolders(
    manager: EntityManager,
    scope: ClientScope,
    batchId: string,
    folderId: string,
  ): Promise<void> {
    const { clientId } = scope;
    const root = (await this.trash.findFolder({ clientId }, folderId, manager))!;
    const ancestors =
      root.parentId === null ? [] : await this.folders.findPath(scope, root.parentId, manager);
    const levels = await this.folders.findSubtree({ clientId }, folderId, batchId, manager);
    const parent = ancestors.length + levels.length > MAX_DEPTH ? null : (ancestors.at(-1) ?? null);
    const name = await this.freeName(manager, clientId, root.name, parent);
    await this.trash.reviveFolder(
      { clientId },
      folderId,
      {
        parentId: parent?.id ?? null,
        name,
        nameKey: nameKeyOf(name),
      },
      manager,
    );
    await this.trash.reviveFolders({ clientId }, batchId, manager);
  }

  /** The first of the names for a restored folder that is free there. */
  private async freeName(
    manager: EntityManager,
    clientId: string,
    name: string,
    parent: Folder | null,
  ): Promise<string> {
    const names = restoredNames(name);
    for (;;) {
      const candidates = Array.from({ length: NAMES }, () => names.next().value as string);
      const keys = candidates.map(nameKeyOf);
      const found = await this.folders.findByNames({ clientId }, parent?.id ?? null, keys, manager);
      const taken = new Set(found.map(({ nameKey }) => nameKey));
      const free = candidates.find((candidate) => !taken.has(nameKeyOf(candidate)));
      if (free !== undefined) return free;
    }
  }
}
