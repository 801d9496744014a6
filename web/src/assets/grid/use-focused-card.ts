import { type FocusEvent, type RefObject, useEffect, useRef } from 'react';
import type { SelectionStore } from '../../library/selection-store';

export function cardAt(grid: HTMLElement | null, index: number): HTMLElement | null {
  return grid?.querySelector<HTMLElement>(`[data-index="${index}"]`) ?? null;
}

/** The card that receives the focus once it is rendered. */
export type PendingFocus = RefObject<number | null>;

export function useFocusedCard(store: SelectionStore, reveal: (index: number) => void) {
  const pendingFocus: PendingFocus = useRef(null);
  const focusCard = (index: number): void => {
    pendingFocus.current = index;
    reveal(index);
    // Forces a render; a different index causes one by itself.
    if (index === store.get().focusedIndex) store.update({});
  };
  return { focusCard, pendingFocus };
}

/** For the component that renders the cards. */
export function usePendingFocus(grid: RefObject<HTMLElement | null>, pendingFocus: PendingFocus): void {
  useEffect(() => {
    if (pendingFocus.current === null) return;
    const card = cardAt(grid.current, pendingFocus.current);
    if (!card) return;
    pendingFocus.current = null;
    card.focus({ preventScroll: true });
  });
}

interface KeptFocusOptions {
  readonly store: SelectionStore;
  readonly focusedIndex: number;
  readonly count: number;
  readonly scroller: RefObject<HTMLElement | null>;
  focusCard: (index: number) => void;
}

/** When the last card leaves with the focus, the one before it gets it; when all have left, the page around them. */
export function useKeptFocus({ store, focusedIndex, count, scroller, focusCard }: KeptFocusOptions) {
  const isInside = useRef(false);
  useEffect(() => {
    if (count === 0 || focusedIndex < count) return;
    store.update({ focusedIndex: count - 1 });
    if (isInside.current) focusCard(count - 1);
  });
  useEffect(
    () => () => {
      if (isInside.current) scroller.current?.focus({ preventScroll: true });
    },
    [scroller],
  );
  return {
    onFocus({ target }: FocusEvent<HTMLElement>) {
      isInside.current = true;
      const index = target.dataset['index'];
      // A screen reader can move the focus without the keys of the grid.
      if (index !== undefined) store.update({ focusedIndex: Number(index) });
    },
    // An element that is removed does not lose the focus first.
    onBlur: () => (isInside.current = false),
  };
}
