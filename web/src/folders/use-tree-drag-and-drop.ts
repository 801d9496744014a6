import { useDragAndDrop } from 'react-aria-components/useDragAndDrop';
import { useLibrary } from '../library/use-library';
import { dragState, FOLDER_TYPE, mayDrop } from './drag-state';
import { TOP } from './FolderTree';
import { useTakeDrop } from './use-take-drop';

/** Folders of the tree can be dragged, and are drop targets for assets, folders and files. */
export function useTreeDragAndDrop() {
  const { tree, scope } = useLibrary();
  const takeDrop = useTakeDrop();
  const folderIdOf = (key: unknown) => (key === TOP ? null : String(key));
  return useDragAndDrop({
    isDisabled: !scope.can('assets:write'),
    getItems: (keys) => [...keys].map((key) => ({ [FOLDER_TYPE]: String(key), 'text/plain': String(key) })),
    getAllowedDropOperations: () => ['move'],
    onDragStart: ({ keys }) => {
      const [key] = keys;
      dragState.start({ kind: 'folder', folderId: String(key) });
    },
    onDragEnd: () => dragState.end(),
    getDropOperation: (target, _types, allowed) => {
      if (target.type !== 'item' || target.dropPosition !== 'on' || !tree) return 'cancel';
      return mayDrop(tree, dragState.get(), folderIdOf(target.key)) ? (allowed[0] ?? 'move') : 'cancel';
    },
    shouldAcceptItemDrop: (target) =>
      tree !== undefined && mayDrop(tree, dragState.get(), folderIdOf(target.key)),
    onItemDrop: ({ target, items }) => takeDrop(items, folderIdOf(target.key)),
  });
}
