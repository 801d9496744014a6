import { ownPath } from '../browser/own-path';
import { textOf } from '../browser/search-params';

/** Where to go after signing in: a path on our own origin. */
export interface SignInSearch {
  next?: string;
}

export function signInSearch(raw: Record<string, unknown>): SignInSearch {
  return { next: ownPath(textOf(raw.next), location.origin) };
}
