import { useSyncExternalStore } from 'react';
import { browserStorage } from '../browser/browser-storage';

export const THEMES = ['light', 'dark', 'system'] as const;
export type Theme = (typeof THEMES)[number];

const KEY = 'theme';
const listeners = new Set<() => void>();

const stored = (): Theme => THEMES.find((theme) => theme === browserStorage()?.getItem(KEY)) ?? 'system';

/** Light and dark are set on the document; `system` leaves it to the browser. */
export function applyTheme(theme: Theme = stored()): void {
  if (theme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}

export function setTheme(theme: Theme): void {
  browserStorage()?.setItem(KEY, theme);
  applyTheme(theme);
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function useTheme(): Theme {
  return useSyncExternalStore(subscribe, stored);
}
