import { useLayoutEffect, useRef, useState } from 'react';
import { useWidth } from '../ui/use-width';

export interface CrumbPlace {
  /** Null: the top level. */
  readonly folderId: string | null;
  readonly name: string;
}

/** Narrower than this, two names would both be cut beyond recognition. */
const ROOM_FOR_TWO = 240;

/**
 * Which ancestors of the open folder are shown, and which are in the menu between `start` and `end`: as few as leave the
 * shown names whole. The levels below the top go first, then the top, and the parent only where there is no room for two.
 */
export function useCrumbs(ancestors: readonly CrumbPlace[], current: string) {
  const list = useRef<HTMLOListElement>(null);
  const width = useWidth(list);
  const key = JSON.stringify([width, current, ...ancestors.map(({ name }) => name)]);
  const [fitted, setFitted] = useState({ key, hidden: 0 });
  const count = fitted.key === key ? fitted.hidden : 0;
  const parent = ancestors.length - 1;
  const most = width < ROOM_FOR_TWO ? parent + 1 : parent;
  useLayoutEffect(() => {
    if (width > 0 && count < most && hasCutName(list.current)) setFitted({ key, hidden: count + 1 });
  }, [count, key, most, width]);
  const isTopShown = count < parent;
  const [from, to] = isTopShown ? [1, 1 + count] : [0, count];
  return {
    list,
    start: ancestors.slice(0, from),
    hidden: ancestors.slice(from, to),
    end: ancestors.slice(to),
  };
}

function hasCutName(list: HTMLElement | null): boolean {
  const names = list?.querySelectorAll('[data-crumb-name]') ?? [];
  return [...names].some(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth);
}
