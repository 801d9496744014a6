import { compareNaturally } from '../i18n/natural-order';
import type { CountedFolder } from './asset-types';

/** A client's whole folder tree, as lists by parent. */
export interface FolderTree {
  readonly byId: ReadonlyMap<string, CountedFolder>;
  /** The folders of each parent, ordered by name; null is the top level. */
  readonly children: ReadonlyMap<string | null, readonly CountedFolder[]>;
  readonly assetsAtTop: number;
  readonly totalAssets: number;
}

export interface FolderList {
  readonly folders: readonly CountedFolder[];
  readonly assetsAtTop: number;
}

export function folderTree({ folders, assetsAtTop }: FolderList): FolderTree {
  const children = new Map<string | null, CountedFolder[]>();
  const byId = new Map<string, CountedFolder>(
    folders.map((folder) => [folder.folderId, { ...folder, totalAssets: folder.assets }]),
  );
  let totalAssets = assetsAtTop;
  for (const folder of byId.values()) {
    // Added up here, so that changes count before the API has confirmed them.
    totalAssets += folder.assets;
    for (let above = parentOf(byId, folder); above; above = parentOf(byId, above))
      above.totalAssets += folder.assets;
    const siblings = children.get(folder.parentId);
    if (siblings) siblings.push(folder);
    else children.set(folder.parentId, [folder]);
  }
  for (const siblings of children.values()) siblings.sort((a, b) => compareNaturally(a.name, b.name));
  return { byId, children, assetsAtTop, totalAssets };
}

function parentOf(byId: FolderTree['byId'], { parentId }: CountedFolder): CountedFolder | undefined {
  return parentId === null ? undefined : byId.get(parentId);
}

/** The number of assets in the subfolders of a folder. */
export function assetsBelow(tree: FolderTree, folderId: string | null): number {
  if (folderId === null) return tree.totalAssets - tree.assetsAtTop;
  const folder = tree.byId.get(folderId);
  return folder ? folder.totalAssets - folder.assets : 0;
}

/** The deepest folder that contains all of these; null is the top level. */
export function commonFolder(tree: FolderTree, folderIds: Iterable<string | null>): string | null {
  const [first = null, ...others] = folderIds;
  for (let id = first; id !== null; id = tree.byId.get(id)?.parentId ?? null) {
    const here = id;
    if (others.every((other) => isWithin(tree, other, here))) return here;
  }
  return null;
}

/** From the top level down to the folder's parent. */
export function ancestorsOf(tree: FolderTree, folderId: string): CountedFolder[] {
  const ancestors: CountedFolder[] = [];
  let parentId = tree.byId.get(folderId)?.parentId ?? null;
  while (parentId !== null) {
    const parent = tree.byId.get(parentId);
    if (!parent) break;
    ancestors.unshift(parent);
    parentId = parent.parentId;
  }
  return ancestors;
}

/** Whether a folder is the other one or is below it. */
export function isWithin(tree: FolderTree, folderId: string | null, otherId: string): boolean {
  for (let id = folderId; id !== null; id = tree.byId.get(id)?.parentId ?? null)
    if (id === otherId) return true;
  return false;
}

/** Names are compared as in the API: siblings are unique, ignoring case. */
export function siblingNamed(
  tree: FolderTree,
  parentId: string | null,
  name: string,
): CountedFolder | undefined {
  const wanted = keyOf(name);
  return tree.children.get(parentId)?.find((folder) => keyOf(folder.name) === wanted);
}

function keyOf(name: string): string {
  return name.trim().normalize('NFC').toLowerCase();
}

export function renamed(list: FolderList, folderId: string, name: string): FolderList {
  return {
    ...list,
    folders: list.folders.map((folder) => (folder.folderId === folderId ? { ...folder, name } : folder)),
  };
}

export function reparented(list: FolderList, folderId: string, parentId: string | null): FolderList {
  return {
    ...list,
    folders: list.folders.map((folder) => (folder.folderId === folderId ? { ...folder, parentId } : folder)),
  };
}

/** Without a folder and everything below it. */
export function without(list: FolderList, folderId: string): FolderList {
  const tree = folderTree(list);
  return { ...list, folders: list.folders.filter((folder) => !isWithin(tree, folder.folderId, folderId)) };
}

/** After assets were moved, or trashed (`to` is undefined). */
export function recounted(
  list: FolderList,
  moved: ReadonlyMap<string | null, number>,
  to?: string | null,
): FolderList {
  const total = [...moved.values()].reduce((sum, count) => sum + count, 0);
  const changeOf = (id: string | null) => (id === to ? total : 0) - (moved.get(id) ?? 0);
  return {
    assetsAtTop: Math.max(0, list.assetsAtTop + changeOf(null)),
    folders: list.folders.map((folder) => {
      const change = changeOf(folder.folderId);
      return change === 0 ? folder : { ...folder, assets: Math.max(0, folder.assets + change) };
    }),
  };
}
