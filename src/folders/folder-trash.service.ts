import { Injectable } from '@nestjs/common';
import type { ClientScope } from '../access/principal.js';
import { AuditService } from '../audit/audit.service.js';
import { Problem } from '../common/errors/problem.js';
import type { SystemFolder } from '../database/entities/folder.entity.js';
import type { TrashBatch } from '../database/entities/trash-batch.entity.js';
import { TrashBatches } from '../trash-batches/trash-batches.js';
import { TrashBatchesRepository } from '../trash-batches/trash-batches.repository.js';
import { AssetsInUse } from '../usages/assets-in-use.js';
import { FolderStructure } from './folder-structure.js';
import { FoldersRepository } from './folders.repository.js';
import { isWithin, requireUnprotected } from './folders.service.js';

/** Moves folders to the trash. */
@Injectable()
export class FolderTrashService {
  constructor(
    private readonly structure: FolderStructure,
    private readonly folders: FoldersRepository,
    private readonly batches: TrashBatches,
    private readonly repository: TrashBatchesRepository,
    private readonly inUse: AssetsInUse,
    private readonly audit: AuditService,
  ) {}

  /**
   * Trashes the folder and everything below it as one batch. `force`: even if references use some of the assets.
   * `below`: only if the folder is below this one.
   */
  async trash(
    scope: ClientScope,
    folderId: string,
    { force = false, below }: { force?: boolean; below?: SystemFolder } = {},
  ): Promise<TrashBatch> {
    return this.structure.change(scope.clientId, async (manager) => {
      const path = await this.folders.findPath(scope, folderId, manager);
      const folder = path.at(-1);
      if (folder === undefined || !isWithin(path, below)) throw new Problem('folder_not_found');
      // Checking this folder is enough: the protected folders are at the top, so no other folder contains one of them.
      requireUnprotected(folder);

      const ids = (await this.folders.findSubtree(scope, folderId, null, manager)).flat();
      if (await this.folders.holdsAssetsOfOthers(scope, ids, manager))
        throw new Problem(
          'surface_not_allowed',
          'The folder contains assets for surfaces that this API key is not allowed on.',
        );
      await this.inUse.rejectInUse(manager, scope, { folderIds: ids }, force);
      const batch = await this.batches.open(manager, scope, { folderId, name: folder.name });
      await this.repository.trashFolders(scope, ids, batch.id, manager);
      const counts = {
        folders: ids.length,
        assets: await this.repository.countAssetsIn(scope, batch.id, manager),
      };
      await this.repository.setCounts(scope, batch.id, counts, manager);
      await this.audit.record(manager, {
        ...scope,
        action: 'folder.trash',
        subject: ['folder', folderId],
        before: { name: folder.name, ...counts, ...(force ? { force } : {}) },
      });
      return { ...batch, ...counts };
    });
  }
}
