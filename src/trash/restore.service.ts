import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { AuditService } from '../audit/audit.service.js';
import type { ClientScope } from '../auth/principal.js';
import { Problem } from '../common/errors/problem.js';
import { isUuid } from '../common/ids.js';
import { Database } from '../database/database.js';
import type { TrashBatch } from '../database/entities/trash-batch.entity.js';
import { nameKeyOf, restoredName } from '../folders/folder-name.rules.js';
import { FolderTree } from '../folders/folder-tree.rules.js';
import { FoldersRepository } from '../folders/folders.repository.js';
import { TrashRepository } from './trash.repository.js';

@Injectable()
export class RestoreService {
  constructor(
    private readonly database: Database,
    private readonly trash: TrashRepository,
    private readonly folders: FoldersRepository,
    private readonly audit: AuditService,
  ) {}

  /** Puts a batch back where it was; at the top level if its parent is gone, under another name if its own is taken. */
  async restore(scope: ClientScope, batchId: string): Promise<TrashBatch> {
    return this.database.transaction(async (manager) => {
      await this.folders.lockStructure(manager, scope.clientId);
      const batch = isUuid(batchId) ? await this.trash.lockBatch(manager, scope, batchId) : null;
      if (batch === null) throw new Problem('trash_batch_not_found');
      if (batch.folderId !== null) await this.restoreFolders(manager, scope, batch);
      await this.trash.reviveAssets(manager, scope.clientId, batch.id);
      await this.trash.deleteBatch(manager, batch.id);
      await this.audit.record(manager, {
        actor: scope.actor,
        clientId: scope.clientId,
        action: 'trash.restore',
        subject: ['trash_batch', batch.id],
        after: { name: batch.name, folders: batch.folders, assets: batch.assets },
      });
      return batch;
    });
  }

  private async restoreFolders(manager: EntityManager, scope: ClientScope, batch: TrashBatch): Promise<void> {
    const live = await this.folders.loadTree(scope, manager);
    const trashed = new FolderTree(await this.trash.findFolders(manager, scope.clientId, batch.id));
    const root = trashed.get(batch.folderId!)!;
    const height = trashed.height(root.id);
    const parentIsThere =
      root.parentId !== null && live.get(root.parentId) !== null && live.fits(height, root.parentId);
    const parentId = parentIsThere ? root.parentId : null;
    const name = restoredName(root.name, new Set(live.children(parentId).map(({ nameKey }) => nameKey)));
    await this.trash.reviveFolder(manager, scope.clientId, root.id, {
      parentId,
      name,
      nameKey: nameKeyOf(name),
    });
    await this.trash.reviveFolders(manager, scope.clientId, batch.id);
  }
}
