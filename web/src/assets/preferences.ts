import { useCallback, useSyncExternalStore } from 'react';
import { browserStorage } from '../browser/browser-storage';
import { useSession } from '../api/use-session';

const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** A setting of the page, stored per user on this device. */
export function usePreference<T extends string | number | boolean>(
  name: string,
  initial: T,
): [T, (value: T) => void] {
  const key = `library:${useSession().user.userId}:${name}`;
  const stored = useSyncExternalStore(subscribe, () => browserStorage()?.getItem(key) ?? null);
  const set = useCallback(
    (value: T) => {
      browserStorage()?.setItem(key, JSON.stringify(value));
      for (const listener of listeners) listener();
    },
    [key],
  );
  return [parsed(stored, initial), set];
}

function parsed<T>(stored: string | null, initial: T): T {
  if (stored === null) return initial;
  try {
    const value = JSON.parse(stored) as unknown;
    return typeof value === typeof initial ? (value as T) : initial;
  } catch {
    return initial;
  }
}
