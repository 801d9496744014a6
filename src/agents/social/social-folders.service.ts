import { Injectable } from '@nestjs/common';
import type { ClientScope } from '../../access/principal.js';
import { Problem } from '../../common/errors/problem.js';
import { Database } from '../../database/database.js';
import type { TrashBatch } from '../../database/entities/trash-batch.entity.js';
import { FolderTrashService } from '../../folders/folder-trash.service.js';
import { FoldersRepository } from '../../folders/folders.repository.js';
import {
  type CountedFolder,
  type FolderChange,
  FoldersService,
  type PlacedFolder,
} from '../../folders/folders.service.js';
import { TrashBatches } from '../../trash-batches/trash-batches.js';
import { requireSurface } from '../../assets/surface-gate.rules.js';

/** The folders that the Social agent manages: everything below `Social`. Other folders appear not to exist. */
@Injectable()
export class SocialFoldersService {
  constructor(
    private readonly database: Database,
    private readonly repository: FoldersRepository,
    private readonly folders: FoldersService,
    private readonly trashing: FolderTrashService,
    private readonly batches: TrashBatches,
  ) {}

  async tree(scope: ClientScope): Promise<CountedFolder[]> {
    requireSurface(scope.actor, 'social');
    const within = new Set<string>();
    const { folders } = await this.folders.tree(scope);
    return folders.filter(({ folder: { id, parentId, systemKey } }) => {
      const isInside = systemKey === 'social' || (parentId !== null && within.has(parentId));
      if (isInside) within.add(id);
      return isInside;
    });
  }

  /** Without a parent, the folder is created in `Social`. */
  async create(
    scope: ClientScope,
    { name, parentId }: { name: string; parentId?: string | null },
  ): Promise<PlacedFolder & { created: boolean }> {
    requireSurface(scope.actor, 'social');
    const social = await this.repository.getSystemFolder(scope, 'social', this.database.manager);
    return this.folders.create(scope, { name, parentId: parentId ?? social.id }, 'social');
  }

  async update(scope: ClientScope, change: FolderChange): Promise<PlacedFolder> {
    requireSurface(scope.actor, 'social');
    if (change.parentId === null)
      throw Problem.validation('parentId', 'parentId must be Social or a folder below it');
    return this.folders.update(scope, change, 'social');
  }

  async delete(
    scope: ClientScope,
    folderId: string,
    force: boolean,
  ): Promise<{ batch: TrashBatch; restorableUntil: Date }> {
    requireSurface(scope.actor, 'social');
    const batch = await this.trashing.trash(scope, folderId, { force, below: 'social' });
    return { batch, restorableUntil: this.batches.restorableUntil(batch) };
  }
}
