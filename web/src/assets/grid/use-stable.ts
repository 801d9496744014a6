import { useLayoutEffect, useRef, useState } from 'react';

/** Returns the same object as long as its content is the same. */
export function useStable<T extends object | null>(value: T): T {
  const [kept, keep] = useState(value);
  const isSame = JSON.stringify(kept) === JSON.stringify(value);
  useLayoutEffect(() => {
    if (!isSame) keep(value);
  }, [isSame, value]);
  return isSame ? kept : value;
}

/** Returns the same function at every render, which calls the latest one. */
export function useStableCallback<Args extends unknown[]>(
  callback: (...args: Args) => void,
): (...args: Args) => void {
  const latest = useRef(callback);
  useLayoutEffect(() => {
    latest.current = callback;
  });
  const [stable] = useState(
    () =>
      (...args: Args) =>
        latest.current(...args),
  );
  return stable;
}
