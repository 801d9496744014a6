const PATH = '/embed/picker';
/** Stays in the address, so that a reload still knows that the embedding page provides tokens. */
const MARK = '#token';

let taken: string | null = null;

/** The token with which another page opens the picker: `/embed/picker#token=…`. No server sees a fragment. */
export const embedToken = {
  /** Removes the token from the address, so that neither the history nor other scripts keep it. */
  take(): void {
    if (!embedToken.isExpected()) return;
    taken = new URLSearchParams(location.hash.slice(1)).get('token') || null;
    if (taken !== null) history.replaceState(history.state, '', MARK);
  },

  /** Whether the embedding page provides tokens; otherwise the user signs in. */
  isExpected: (): boolean => location.pathname === PATH && /^#token(=|$)/.test(location.hash),

  /** False after a reload, when the token is gone. */
  isPresent: (): boolean => taken !== null,

  /** The token, once. */
  use(): string | null {
    const token = taken;
    taken = null;
    return token;
  },

  /** The user signs in instead. */
  forget(): void {
    history.replaceState(history.state, '', location.pathname + location.search);
  },
};
