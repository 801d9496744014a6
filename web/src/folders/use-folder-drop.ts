import type { RefObject } from 'react';
import { useDrop } from 'react-aria/useDrop';
import { useLibrary } from '../library/use-library';
import { dragState, mayDrop } from './drag-state';
import { useTakeDrop } from './use-take-drop';

/**
 * Makes an element a drop target for assets, folders and files. A forbidden drop is shown before the button is
 * released. `ref` must be focusable, because keyboard drags move there.
 */
export function useFolderDrop(
  ref: RefObject<HTMLElement | null>,
  folderId: string | null,
  onSpringOpen?: () => void,
) {
  const { tree, scope } = useLibrary();
  const takeDrop = useTakeDrop();
  return useDrop({
    ref,
    isDisabled: !scope.can('assets:write'),
    getDropOperation: (_types, allowed) =>
      tree && mayDrop(tree, dragState.get(), folderId) ? (allowed[0] ?? 'move') : 'cancel',
    onDrop: ({ items }) => takeDrop(items, folderId),
    onDropActivate: onSpringOpen,
  });
}
