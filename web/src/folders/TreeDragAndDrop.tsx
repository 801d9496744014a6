import type { ReactNode } from 'react';
import type { DragAndDropHooks } from 'react-aria-components/useDragAndDrop';
import { useTreeDragAndDrop } from './use-tree-drag-and-drop';

/** What makes folders of the tree draggable, and drop targets. */
export default function TreeDragAndDrop({ children }: { children: (hooks: DragAndDropHooks) => ReactNode }) {
  const { dragAndDropHooks } = useTreeDragAndDrop();
  return children(dragAndDropHooks);
}
