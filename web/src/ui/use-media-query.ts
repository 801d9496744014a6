import { useCallback, useSyncExternalStore } from 'react';

export function useMediaQuery(query: string): boolean {
  const subscribe = useCallback(
    (listener: () => void) => {
      const list = matchMedia(query);
      list.addEventListener('change', listener);
      return () => list.removeEventListener('change', listener);
    },
    [query],
  );
  return useSyncExternalStore(subscribe, () => matchMedia(query).matches);
}

/** Mainly a finger, which neither hovers nor has modifier keys. */
export function useIsTouch(): boolean {
  return useMediaQuery('(pointer: coarse)');
}

/** Popovers become sheets. */
export function useIsPhone(): boolean {
  return useMediaQuery('(width < 560px)');
}

/** One column, folders in a drawer, details as a sheet. */
export function useIsNarrow(): boolean {
  return useMediaQuery('(width < 900px)');
}
