import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { AuditService } from '../audit/audit.service.js';
import type { ClientScope } from '../auth/principal.js';
import { Problem } from '../common/errors/problem.js';
import { newId } from '../common/ids.js';
import { Database } from '../database/database.js';
import type { Folder } from '../database/entities/folder.entity.js';
import { Reads } from '../database/reads.js';
import { cleanName, nameFault, nameKeyOf } from './folder-name.rules.js';
import { type FolderTree, pathOf } from './folder-tree.rules.js';
import { FoldersRepository } from './folders.repository.js';

/** A folder with its place in the tree. */
export interface PlacedFolder {
  readonly folder: Folder;
  readonly path: string;
}

export interface CountedFolder extends PlacedFolder {
  /** Directly in it. */
  readonly assets: number;
  readonly folders: number;
}

export interface FolderChange {
  readonly folderId: string;
  readonly name?: string;
  /** Null: to the top level. */
  readonly parentId?: string | null;
}

@Injectable()
export class FoldersService {
  constructor(
    private readonly database: Database,
    private readonly reads: Reads,
    private readonly folders: FoldersRepository,
    private readonly audit: AuditService,
  ) {}

  /** The whole tree, each parent before its children. */
  async tree(scope: ClientScope): Promise<{ folders: CountedFolder[]; assetsAtTop: number }> {
    const [tree, counts] = await this.reads.run(scope.clientId, async (manager) => [
      await this.folders.loadTree(scope, manager),
      await this.folders.countAssets(scope, manager),
    ]);
    const folders = tree
      .children(null)
      .flatMap((top) => tree.subtree(top.id))
      .map((folder) => ({
        ...placed(tree, folder),
        assets: counts.get(folder.id) ?? 0,
        folders: tree.children(folder.id).length,
      }));
    return { folders, assetsAtTop: counts.get(null) ?? 0 };
  }

  /** Creating `Social` or `Social/Posted` again answers with the one that is there. */
  async create(
    scope: ClientScope,
    request: { name: string; parentId?: string | null },
  ): Promise<PlacedFolder & { created: boolean }> {
    const name = checkedName(request.name);
    const parentId = request.parentId ?? null;
    return this.changeStructure(scope, async (manager, tree) => {
      if (parentId !== null && tree.get(parentId) === null) throw new Problem('folder_not_found');
      const sibling = findSibling(tree, parentId, name);
      if (sibling?.systemKey) return { ...placed(tree, sibling), created: false };
      if (sibling) throw new Problem('folder_name_taken');
      if (!tree.fits(1, parentId)) throw new Problem('folder_too_deep');

      const id = newId();
      await this.folders.insert(manager, {
        id,
        clientId: scope.clientId,
        parentId,
        name,
        nameKey: nameKeyOf(name),
        systemKey: null,
      });
      const path = pathOf([...tree.pathTo(parentId), { name }]);
      await this.record(manager, scope, 'folder.create', id, { after: { name, parentId } });
      return { folder: (await this.folders.findById(manager, scope.clientId, id))!, path, created: true };
    });
  }

  /** Renames, moves, or both. */
  async update(scope: ClientScope, change: FolderChange): Promise<PlacedFolder> {
    if (change.name === undefined && change.parentId === undefined) {
      throw new Problem('validation_failed', 'Either name or parentId must be given.', {
        errors: [{ path: 'name', message: 'name or parentId must be given' }],
      });
    }
    const name = change.name === undefined ? undefined : checkedName(change.name);
    return this.changeStructure(scope, async (manager, tree) => {
      const folder = tree.get(change.folderId);
      if (folder === null) throw new Problem('folder_not_found');
      requireUnprotected(folder);
      const target = {
        name: name ?? folder.name,
        parentId: change.parentId === undefined ? folder.parentId : change.parentId,
      };
      checkMove(tree, folder, target.parentId);
      const sibling = findSibling(tree, target.parentId, target.name);
      if (sibling && sibling.id !== folder.id) throw new Problem('folder_name_taken');

      await this.folders.update(manager, folder.id, { ...target, nameKey: nameKeyOf(target.name) });
      await this.record(manager, scope, 'folder.update', folder.id, {
        before: { name: folder.name, parentId: folder.parentId },
        after: target,
      });
      const path = pathOf([...tree.pathTo(target.parentId), { name: target.name }]);
      return { folder: (await this.folders.findById(manager, scope.clientId, folder.id))!, path };
    });
  }

  private changeStructure<T>(
    scope: ClientScope,
    work: (manager: EntityManager, tree: FolderTree<Folder>) => Promise<T>,
  ): Promise<T> {
    return this.database.transaction(async (manager) => {
      await this.folders.lockStructure(manager, scope.clientId);
      return work(manager, await this.folders.loadTree(scope, manager));
    });
  }

  private record(
    manager: EntityManager,
    { actor, clientId }: ClientScope,
    action: string,
    folderId: string,
    change: { before?: Record<string, unknown>; after?: Record<string, unknown> },
  ): Promise<void> {
    return this.audit.record(manager, { actor, clientId, action, subject: ['folder', folderId], ...change });
  }
}

/** `Social` and `Social/Posted` belong to the Social agent (specification, section 2 and rule 3). */
export function requireUnprotected(folder: Folder): void {
  if (folder.systemKey !== null)
    throw new Problem('folder_protected', `${folder.name} cannot be renamed, moved or deleted.`);
}

function checkMove(tree: FolderTree<Folder>, folder: Folder, parentId: string | null): void {
  if (parentId === folder.parentId) return;
  if (parentId !== null && tree.get(parentId) === null) throw new Problem('folder_not_found');
  if (tree.wouldCycle(folder.id, parentId)) throw new Problem('folder_cycle');
  if (!tree.fits(tree.height(folder.id), parentId)) throw new Problem('folder_too_deep');
}

function checkedName(given: string): string {
  const name = cleanName(given);
  const fault = nameFault(name);
  if (fault !== null) throw Problem.validation('name', `name ${fault}`);
  return name;
}

function findSibling(tree: FolderTree<Folder>, parentId: string | null, name: string): Folder | undefined {
  const key = nameKeyOf(name);
  return tree.children(parentId).find((sibling) => sibling.nameKey === key);
}

function placed(tree: FolderTree<Folder>, folder: Folder): PlacedFolder {
  return { folder, path: pathOf(tree.pathTo(folder.id)) };
}
