import type { Folder } from '../database/entities/folder.entity.js';

type Node = Pick<Folder, 'id' | 'parentId' | 'name'>;

/** A client's live folders in memory, for reading the whole tree. Changes never load it: they query the database for what they need. */
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

  /** The folder and everything below, parents before children. */
  subtree(id: string): T[] {
    const root = this.get(id);
    const found = root ? [root] : [];
    for (const folder of found) for (const child of this.children(folder.id)) found.push(child);
    return found;
  }

  /** Every folder with its path, parents before children. */
  *walk(): Generator<{ folder: T; path: string }> {
    for (const top of this.children(null)) {
      const paths = new Map<string, string>();
      for (const folder of this.subtree(top.id)) {
        const parentPath = folder.parentId === null ? undefined : paths.get(folder.parentId);
        const path = parentPath === undefined ? folder.name : `${parentPath}/${folder.name}`;
        paths.set(folder.id, path);
        yield { folder, path };
      }
    }
  }

  /** The values of each folder and everything below, added up. */
  sums(valueOf: (folder: T) => number): Map<string, number> {
    const sums = new Map<string, number>();
    for (const { folder } of [...this.walk()].reverse()) {
      let sum = valueOf(folder);
      for (const { id } of this.children(folder.id)) sum += sums.get(id)!;
      sums.set(folder.id, sum);
    }
    return sums;
  }
}

export function pathOf(ancestorsAndSelf: readonly Pick<Folder, 'name'>[]): string {
  return ancestorsAndSelf.map(({ name }) => name).join('/');
}
