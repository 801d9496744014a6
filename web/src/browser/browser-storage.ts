/** `localStorage`, or null if the browser denies access to it because of a setting or in a frame on another site. */
export function browserStorage(): Storage | null {
  try {
    return window.localStorage;
  } catch {
    return null;
  }
}

/** `sessionStorage`: what it contains survives a reload of this tab. */
export function tabStorage(): Storage | null {
  try {
    return window.sessionStorage;
  } catch {
    return null;
  }
}
