import { type RefObject, useEffect, useRef } from 'react';
import type { SelectionStore } from '../selection/selection-store';

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
