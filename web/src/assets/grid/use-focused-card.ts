import { type RefObject, useEffect, useRef, useState } from 'react';

export function cardAt(grid: HTMLElement | null, index: number): HTMLElement | null {
  return grid?.querySelector<HTMLElement>(`[data-index="${index}"]`) ?? null;
}

/** Gives the focus to a card once it has been drawn. */
export function useFocusedCard(
  grid: RefObject<HTMLElement | null>,
  focusedIndex: number,
  reveal: (index: number) => void,
): (index: number) => void {
  const pending = useRef<number | null>(null);
  const [, draw] = useState(0);
  useEffect(() => {
    if (pending.current === null) return;
    const card = cardAt(grid.current, pending.current);
    if (!card) return;
    pending.current = null;
    card.focus({ preventScroll: true });
  });
  return (index) => {
    pending.current = index;
    reveal(index);
    if (index === focusedIndex) draw((last) => last + 1);
  };
}
