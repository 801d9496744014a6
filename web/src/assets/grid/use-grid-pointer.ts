import { type MouseEvent, type PointerEvent, useRef } from 'react';
import type { Asset } from '../../library/asset-types';
import type { Library } from '../../library/use-library';
import { addRange, chooseOnly, countChosen, extendTo, isChosen, toggle } from '../../library/selection';

export interface GridPointerOptions {
  readonly library: Library;
  readonly canEdit: boolean;
  onOpen: (index: number, asset: Asset) => void;
  onRename: (asset: Asset) => void;
  onFolder: (folderId: string | null) => void;
  onMenu: (at: { x: number; y: number }) => void;
}

interface Hit {
  readonly index: number;
  readonly asset: Asset;
  readonly part: string | undefined;
}

const LONG_PRESS_MS = 450;
const SLOP_PX = 10;

/** Mouse: click selects, double-click opens. Touch: tap opens; after a long press or “Select”, taps select. */
export function useGridPointer(options: GridPointerOptions) {
  const { library, canEdit } = options;
  const { selection: store, reader } = library;
  const press = useRef<{
    type: string;
    x: number;
    y: number;
    timer?: ReturnType<typeof setTimeout>;
    isLong: boolean;
  }>({
    type: 'mouse',
    x: 0,
    y: 0,
    isLong: false,
  });

  const hitOf = (target: EventTarget): Hit | null => {
    if (!(target instanceof Element)) return null;
    const card = target.closest<HTMLElement>('[data-index]');
    if (!card) return null;
    const index = Number(card.dataset['index']);
    const asset = reader.assetAt(index);
    const part = target.closest<HTMLElement>('[data-part]')?.dataset['part'];
    return asset ? { index, asset, part } : null;
  };
  const toggleHit = ({ index, asset }: Hit) =>
    store.choose(toggle(store.get().selection, index, asset.assetId), index);

  const onTap = (hit: Hit) => {
    if (press.current.isLong) return;
    const { selection, isSelecting } = store.get();
    if (hit.part === 'check' || isSelecting || countChosen(selection) > 0) toggleHit(hit);
    else options.onOpen(hit.index, hit.asset);
  };
  const onFolder = (event: MouseEvent, folderId: string) => {
    const isElsewhere = event.ctrlKey || event.metaKey || event.shiftKey;
    if (isElsewhere && !press.current.isLong) return;
    event.preventDefault();
    if (!press.current.isLong) options.onFolder(folderId === '' ? null : folderId);
  };
  const onClick = (event: MouseEvent) => {
    const hit = hitOf(event.target);
    if (!hit) return;
    const folder = (event.target as Element).closest<HTMLElement>('[data-folder]')?.dataset['folder'];
    const isTouch = press.current.type === 'touch';
    if (folder !== undefined && !(isTouch && store.get().isSelecting)) return onFolder(event, folder);
    if (isTouch) {
      // A folder is a link.
      event.preventDefault();
      return onTap(hit);
    }
    const { selection } = store.get();
    const isCtrl = event.ctrlKey || event.metaKey;
    if (event.shiftKey) {
      const extend = isCtrl ? addRange : extendTo;
      store.choose(extend(selection, hit.index, reader.idReader()), hit.index);
    } else if (isCtrl || hit.part === 'check') toggleHit(hit);
    else {
      store.choose(chooseOnly(hit.index, hit.asset.assetId), hit.index);
      if (hit.part === 'title' && canEdit) options.onRename(hit.asset);
    }
  };
  return {
    hitOf,
    handlers: {
      onClick,
      onDoubleClick(event: MouseEvent) {
        const hit = hitOf(event.target);
        if (hit && hit.part === undefined && press.current.type !== 'touch')
          options.onOpen(hit.index, hit.asset);
      },
      onContextMenu(event: MouseEvent) {
        const hit = hitOf(event.target);
        if (!hit) return;
        event.preventDefault();
        if (press.current.type === 'touch') return;
        if (!isChosen(store.get().selection, hit.index, hit.asset.assetId))
          store.choose(chooseOnly(hit.index, hit.asset.assetId), hit.index);
        options.onMenu(placeOf(event));
      },
      onPointerDown(event: PointerEvent) {
        clearTimeout(press.current.timer);
        press.current = { type: event.pointerType, x: event.clientX, y: event.clientY, isLong: false };
        if (event.pointerType !== 'touch') return;
        const hit = hitOf(event.target);
        if (!hit) return;
        press.current.timer = setTimeout(() => {
          press.current.isLong = true;
          navigator.vibrate?.(10);
          store.startSelecting();
          toggleHit(hit);
        }, LONG_PRESS_MS);
      },
      onPointerMove(event: PointerEvent) {
        const { x, y, timer } = press.current;
        if (timer && Math.hypot(event.clientX - x, event.clientY - y) > SLOP_PX) clearTimeout(timer);
      },
      onPointerUp: () => clearTimeout(press.current.timer),
      onPointerCancel: () => clearTimeout(press.current.timer),
    },
  };
}

/** Shift+F10 has no pointer position, so the menu opens at the card. */
function placeOf(event: MouseEvent): { x: number; y: number } {
  if (event.clientX !== 0 || event.clientY !== 0) return { x: event.clientX, y: event.clientY };
  const rect = (event.target as Element).getBoundingClientRect();
  return { x: rect.x + rect.width / 2, y: rect.y + rect.height / 2 };
}
