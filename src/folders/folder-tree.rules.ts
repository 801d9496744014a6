import type { Folder } from '../database/entities/folder.entity.js';
import { MAX_DEPTH } from './folder-name.rules.js';

type Node = Pick<Folder, 'id' | 'parentId' | 'name'>;

/** A client's live folders, held in memory: a few thousand at most. Pure; what it says holds as long as the tree is locked. */
export class FolderTree<T extends Node = Node> {
  private readonly byId: Map<string, T>;
  private readonly childrenOf = new Map<string | null, T[]>();

  constructor(folders: readonly T[]) {
    this.byId = new Map(folders.map((folder) => [folder.id, folder]));
    for (const folder of folders) {
      const siblings = this.childrenOf.get(folder.parentId);
      if (siblings) siblings.push(folder);
      else this.childrenOf.set(folder.parentId, [folder]);
    }
  }

  get(id: string): T | null {
    return this.byId.get(id) ?? null;
  }

  children(id: string | null): readonly T[] {
    return this.childrenOf.get(id) ?? [];
  }

  /** From the top down to the folder itself. */
  pathTo(id: string | null): T[] {
    const path: T[] = [];
    for (
      let folder = id === null ? null : this.get(id);
      folder;
      folder = folder.parentId === null ? null : this.get(folder.parentId)
    ) {
      path.unshift(folder);
    }
    return path;
  }

  /** The folder and everything below, parents before children. */
  subtree(id: string): T[] {
    const root = this.get(id);
    const found = root ? [root] : [];
    for (const folder of found) for (const child of this.children(folder.id)) found.push(child);
    return found;
  }

  /** Moving a folder below itself would cut both off from the rest. */
  wouldCycle(id: string, parentId: string | null): boolean {
    return this.pathTo(parentId).some((ancestor) => ancestor.id === id);
  }

  /** Whether a folder, with all that is below it, fits below a parent. */
  fits(height: number, parentId: string | null): boolean {
    return this.pathTo(parentId).length + height <= MAX_DEPTH;
  }

  /** Levels of the subtree, the folder itself included. */
  height(id: string): number {
    return 1 + Math.max(0, ...this.children(id).map((child) => this.height(child.id)));
  }
}

export function pathOf(ancestorsAndSelf: readonly Pick<Folder, 'name'>[]): string {
  return ancestorsAndSelf.map(({ name }) => name).join('/');
}
