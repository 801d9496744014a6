import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { AuditService } from '../audit/audit.service.js';
import type { ClientScope } from '../access/principal.js';
import { Problem } from '../common/errors/problem.js';
import { newId } from '../common/ids.js';
import type { Config } from '../config/config.js';
import { InjectConfig } from '../config/config.token.js';
import type { Folder, SystemFolder } from '../database/entities/folder.entity.js';
import { Reads } from '../database/reads.js';
import { cleanName, MAX_DEPTH, nameFault, nameKeyOf } from './folder-name.rules.js';
import { pathOf } from './folder-tree.rules.js';
import { FolderStructure } from './folder-structure.js';
import { FoldersRepository } from './folders.repository.js';

/** A folder with its position in the tree. */
export interface PlacedFolder {
  readonly folder: Folder;
  readonly path: string;
}

export interface CountedFolder extends PlacedFolder {
  /** Directly in it. */
  readonly assets: number;
  readonly folders: number;
  /** In it and everywhere below. */
  readonly totalAssets: number;
}

export interface FolderChange {
  readonly folderId: string;
  readonly name?: string;
  /** Null means the top level. */
  readonly parentId?: string | null;
}

@Injectable()
export class FoldersService {
  constructor(
    private readonly structure: FolderStructure,
    private readonly reads: Reads,
    private readonly folders: FoldersRepository,
    private readonly audit: AuditService,
    @InjectConfig() private readonly config: Config,
  ) {}

  /** The whole tree, parents before children. */
  async tree(scope: ClientScope): Promise<{ folders: CountedFolder[]; assetsAtTop: number }> {
    const [tree, counts] = await this.reads.run(scope.clientId, 'heavy', async (queries) => [
      await this.folders.loadTree(scope, queries),
      await this.folders.countAssets(scope, queries),
    ]);
    const totals = tree.sums((folder) => counts.get(folder.id) ?? 0);
    const folders = Array.from(tree.walk(), ({ folder, path }) => ({
      folder,
      path,
      assets: counts.get(folder.id) ?? 0,
      folders: tree.children(folder.id).length,
      totalAssets: totals.get(folder.id)!,
    }));
    return { folders, assetsAtTop: counts.get(null) ?? 0 };
  }

  /** Creating `Social` or `Social/Posted` again returns the existing folder. `below`: only below this folder. */
  async create(
    scope: ClientScope,
    request: { name: string; parentId?: string | null },
    below?: SystemFolder,
  ): Promise<PlacedFolder & { created: boolean }> {
    const name = checkedName(request.name);
    const parentId = request.parentId ?? null;
    return this.structure.change(scope.clientId, async (manager) => {
      const ancestors = await this.pathTo(manager, scope, parentId);
      if (!isWithin(ancestors, below)) throw new Problem('folder_not_found');
      const sibling = await this.findSibling(manager, scope, parentId, name);
      if (sibling?.systemKey)
        return { folder: sibling, path: pathOf([...ancestors, sibling]), created: false };
      if (sibling) throw new Problem('folder_name_taken');
      const folder = await this.insert(manager, scope, ancestors, name);
      return { folder, path: pathOf([...ancestors, folder]), created: true };
    });
  }

  /** By name or by path, whichever is given. */
  async createNamed(
    scope: ClientScope,
    { name, path, parentId }: { name?: string; path?: string; parentId?: string | null },
  ): Promise<PlacedFolder & { created: boolean }> {
    const place = parentId === undefined ? {} : { parentId };
    if (name !== undefined && path === undefined) return this.create(scope, { name, ...place });
    if (path !== undefined && name === undefined) return this.createPath(scope, { path, ...place });
    throw Problem.validation('name', 'name or path is required');
  }

  /** The folder at the end of a path such as `2026/Autumn`, with its missing parents. Existing folders are used. */
  private async createPath(
    scope: ClientScope,
    request: { path: string; parentId?: string | null },
  ): Promise<PlacedFolder & { created: boolean }> {
    const names = request.path.split('/').map((name) => checkedName(name, 'path'));
    return this.structure.change(scope.clientId, async (manager) => {
      const path = await this.pathTo(manager, scope, request.parentId ?? null);
      let created = false;
      for (const name of names) {
        const existing = await this.findSibling(manager, scope, path.at(-1)?.id ?? null, name);
        created = existing === undefined;
        path.push(existing ?? (await this.insert(manager, scope, path, name)));
      }
      return { folder: path.at(-1)!, path: pathOf(path), created };
    });
  }

  /** Below the last of the ancestors, where no folder has this name. */
  private async insert(
    manager: EntityManager,
    scope: ClientScope,
    ancestors: readonly Folder[],
    name: string,
  ): Promise<Folder> {
    const parent = ancestors.at(-1) ?? null;
    if (ancestors.length + 1 > MAX_DEPTH) throw new Problem('folder_too_deep');
    await this.requireRoom(manager, scope);
    const id = newId();
    const parentId = parent?.id ?? null;
    await this.folders.insert(
      {
        id,
        clientId: scope.clientId,
        parentId,
        name,
        nameKey: nameKeyOf(name),
        systemKey: null,
      },
      manager,
    );
    await this.audit.record(manager, {
      ...scope,
      action: 'folder.create',
      subject: ['folder', id],
      after: { name, parentId },
    });
    return (await this.folders.findById(scope, id, manager))!;
  }

  /** Renames, moves, or both. `below`: only if the folder is, and stays, below this one. */
  async update(scope: ClientScope, change: FolderChange, below?: SystemFolder): Promise<PlacedFolder> {
    if (change.name === undefined && change.parentId === undefined) {
      throw new Problem('validation_failed', 'name or parentId is required.', {
        errors: [{ path: 'name', message: 'name or parentId is required' }],
      });
    }
    const name = change.name === undefined ? undefined : checkedName(change.name);
    return this.structure.change(scope.clientId, async (manager) => {
      const path = await this.pathTo(manager, scope, change.folderId);
      if (!isWithin(path, below)) throw new Problem('folder_not_found');
      const folder = path.at(-1)!;
      requireUnprotected(folder);
      const target = {
        name: name ?? folder.name,
        parentId: change.parentId === undefined ? folder.parentId : change.parentId,
      };
      const ancestors = await this.pathTo(manager, scope, target.parentId);
      if (!isWithin(ancestors, below)) throw new Problem('folder_not_found');
      if (target.parentId !== folder.parentId) await this.checkMove(manager, folder, ancestors);
      const sibling = await this.findSibling(manager, scope, target.parentId, target.name);
      if (sibling && sibling.id !== folder.id) throw new Problem('folder_name_taken');

      await this.folders.update(scope, folder.id, { ...target, nameKey: nameKeyOf(target.name) }, manager);
      await this.audit.record(manager, {
        ...scope,
        action: 'folder.update',
        subject: ['folder', folder.id],
        before: { name: folder.name, parentId: folder.parentId },
        after: target,
      });
      const changed = (await this.folders.findById(scope, folder.id, manager))!;
      return { folder: changed, path: pathOf([...ancestors, changed]) };
    });
  }

  /** From the top level down to the folder itself; empty for the top level. */
  private async pathTo(manager: EntityManager, scope: ClientScope, id: string | null): Promise<Folder[]> {
    if (id === null) return [];
    const path = await this.folders.findPath(scope, id, manager);
    if (path.length === 0) throw new Problem('folder_not_found');
    return path;
  }

  private async findSibling(
    manager: EntityManager,
    { clientId }: ClientScope,
    parentId: string | null,
    name: string,
  ): Promise<Folder | undefined> {
    const [sibling] = await this.folders.findByNames({ clientId }, parentId, [nameKeyOf(name)], manager);
    return sibling;
  }

  /** A folder cannot be moved below itself, or so deep that its contents exceed the maximum depth. */
  private async checkMove(
    manager: EntityManager,
    folder: Folder,
    ancestors: readonly Folder[],
  ): Promise<void> {
    if (ancestors.some(({ id }) => id === folder.id)) throw new Problem('folder_cycle');
    const levels = await this.folders.findSubtree(folder, folder.id, null, manager);
    if (ancestors.length + levels.length > MAX_DEPTH) throw new Problem('folder_too_deep');
  }

  private async requireRoom(manager: EntityManager, { clientId }: ClientScope): Promise<void> {
    const { folders } = this.config.limits;
    if (!(await this.folders.hasAtLeast({ clientId }, folders, manager))) return;
    throw new Problem(
      'too_many_folders',
      `A client can have at most ${folders} folders, including those in the trash.`,
    );
  }
}

/** Whether a path leads through or to the system folder; without one, every path does. */
export function isWithin(path: readonly Folder[], below: SystemFolder | undefined): boolean {
  return below === undefined || path.some(({ systemKey }) => systemKey === below);
}

/** `Social` and `Social/Posted` are managed by the Social agent (specification, section 2 and rule 3). */
export function requireUnprotected(folder: Folder): void {
  if (folder.systemKey !== null)
    throw new Problem('folder_protected', `${folder.name} cannot be renamed, moved or deleted.`);
}

function checkedName(given: string, field: 'name' | 'path' = 'name'): string {
  const name = cleanName(given);
  const fault = nameFault(name);
  if (fault !== null)
    throw Problem.validation(field, field === 'name' ? `name ${fault}` : `each name in path ${fault}`);
  return name;
}
