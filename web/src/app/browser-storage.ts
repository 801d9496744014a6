/** `localStorage`, or null if the browser denies access to it because of a setting or in a frame on another site. */
export function browserStorage(): Storage | null {
  try {
    return window.localStorage;
  } catch {
    return null;
  }
}
