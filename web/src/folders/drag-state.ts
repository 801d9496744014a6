import { type FolderTree, isWithin } from '../library/folder-tree';

/**
 * What is being dragged within the page. Browsers hide the data of a drag until it is dropped, but a forbidden drop
 * must be shown earlier.
 */
export type Drag =
  | {
      readonly kind: 'assets';
      readonly folderIds: ReadonlySet<string | null>;
      moveTo: (folderId: string | null) => void;
    }
  | { readonly kind: 'folder'; readonly folderId: string };

export const ASSETS_TYPE = 'application/x-library-assets';
export const FOLDER_TYPE = 'application/x-library-folder';

let current: Drag | null = null;

export const dragState = {
  get: (): Drag | null => current,
  start(drag: Drag): void {
    current = drag;
  },
  end(): void {
    current = null;
  },
};

/** Files from outside are always accepted. Items that are already here, and folders that would be moved into themselves, are not. */
export function mayDrop(tree: FolderTree, drag: Drag | null, folderId: string | null): boolean {
  if (drag === null) return true;
  if (drag.kind === 'assets') return !(drag.folderIds.size === 1 && drag.folderIds.has(folderId));
  const folder = tree.byId.get(drag.folderId);
  return folder !== undefined && folder.parentId !== folderId && !isWithin(tree, folderId, drag.folderId);
}
