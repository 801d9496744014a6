/** `localStorage`, or null where the browser refuses it: by a setting, or in a frame of another site. */
export function browserStorage(): Storage | null {
  try {
    return window.localStorage;
  } catch {
    return null;
  }
}
