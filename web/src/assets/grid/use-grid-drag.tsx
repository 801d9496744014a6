import { type DragEvent, type RefObject, useRef } from 'react';
import { useDrag } from 'react-aria/useDrag';
import type { DragPreviewRenderer } from '@react-types/shared';
import { ASSETS_TYPE, dragState } from '../../folders/drag-state';
import type { Library } from '../../library/use-library';
import { chooseOnly, countChosen, isChosen } from '../../library/selection';

export interface GridDrag {
  readonly isDragging: boolean;
  readonly preview: RefObject<DragPreviewRenderer | null>;
  readonly handlers: {
    onDragStart: (event: DragEvent) => void;
    onDrag: (event: DragEvent) => void;
    onDragEnd: (event: DragEvent) => void;
  };
  /** Starts the same drag from the keyboard: Tab moves between folders, Enter drops, Escape cancels. */
  startByKeyboard: (card: HTMLElement, index: number) => void;
}

/** One drag handler for the whole grid, however many cards there are. Dragging a selected card drags all selected ones. */
export function useGridDrag(
  { selection: store, reader, listing }: Library,
  moveTo: (folderId: string | null) => void,
): GridDrag {
  const preview = useRef<DragPreviewRenderer | null>(null);
  const { dragProps, dragButtonProps, isDragging } = useDrag({
    preview,
    hasDragButton: true,
    getAllowedDropOperations: () => ['move'],
    getItems: () => [{ [ASSETS_TYPE]: 'chosen', 'text/plain': String(countChosen(store.get().selection)) }],
    onDragEnd: () => dragState.end(),
  });

  const prepare = (index: number): boolean => {
    const asset = reader.assetAt(index);
    if (!asset) return false;
    if (!isChosen(store.get().selection, index, asset.assetId))
      store.choose(chooseOnly(index, asset.assetId), index);
    const { selection } = store.get();
    dragState.start({ kind: 'assets', folderIds: placesOf(selection.ids), moveTo });
    return true;
  };
  const placesOf = (ids: ReadonlySet<string>): Set<string | null> => {
    const places = new Set<string | null>();
    for (const id of ids) {
      const index = reader.indexOf(id);
      const asset = index === null ? undefined : reader.assetAt(index);
      if (asset) places.add(asset.folderId);
      if (places.size > 1) break;
    }
    return places.size > 0 ? places : new Set([listing.folder ?? null]);
  };

  return {
    isDragging,
    preview,
    handlers: {
      onDragStart(event) {
        const card = (event.target as Element).closest<HTMLElement>('[data-index]');
        if (!card || !prepare(Number(card.dataset['index']))) return event.preventDefault();
        dragProps.onDragStart?.(event as never);
      },
      onDrag: (event) => dragProps.onDrag?.(event as never),
      onDragEnd: (event) => dragProps.onDragEnd?.(event as never),
    },
    startByKeyboard(card, index) {
      if (!prepare(index)) return;
      const press = { type: 'press', pointerType: 'keyboard', target: card };
      dragButtonProps.onPress?.(
        press as unknown as Parameters<NonNullable<typeof dragButtonProps.onPress>>[0],
      );
    },
  };
}
