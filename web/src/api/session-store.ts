import { ApiProblem } from './problem';
import type { components } from './schema';
import { browserStorage } from '../browser/browser-storage';

export type User = components['schemas']['MeDto'];
type SignedIn = Pick<
  components['schemas']['SignedInDto'],
  'accessToken' | 'refreshToken' | 'expiresIn' | 'user'
>;

/** Why a user was signed out automatically. */
export type SignOutReason = 'ended' | 'inactive' | 'elsewhere';

export interface SessionState {
  readonly status: 'starting' | 'signedOut' | 'signedIn';
  readonly user: User | null;
  readonly reason: SignOutReason | null;
}

const RENEW_BEFORE_END_MS = 60_000;
const RETRY_MS = 15_000;
const HINT = 'session';

let state: SessionState = { status: 'starting', user: null, reason: null };
let accessToken: string | null = null;
let acceptedAt = 0;
/** Only in a frame: no cookie is sent inside a page of another site. */
let refreshToken: string | null = null;
let renewal: ReturnType<typeof setTimeout> | undefined;
let refreshing: Promise<boolean> | null = null;
const listeners = new Set<() => void>();
const otherTabs = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel('session');

export const session = {
  subscribe: (listener: () => void): (() => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  get: (): SessionState => state,
  accessToken: (): string | null => accessToken,

  /** Whether a user is probably still signed in from an earlier visit. */
  visitedBefore: (): boolean => hint.isSet(),

  /** Tries the refresh cookie of an earlier visit. */
  async start(): Promise<void> {
    if (!hint.isSet() || !(await session.refresh())) {
      if (state.status === 'starting') set({ status: 'signedOut', user: null, reason: null });
    }
  },

  async signIn(email: string, password: string): Promise<User> {
    const signedIn = await post<SignedIn>('/auth/login', { email, password });
    accept(signedIn);
    otherTabs?.postMessage('signed-in');
    return signedIn.user;
  },

  /** With an invitation or a link to choose a new password. Whoever was signed in here is signed out first. */
  async signInWithLink(token: string, password: string): Promise<void> {
    if (state.status === 'signedIn') await session.signOut();
    accept(await post<SignedIn>('/auth/invitations/accept', { token, password }));
    otherTabs?.postMessage('signed-in');
  },

  /** The user has changed their own name. */
  update(user: User): void {
    set({ ...state, user });
  },

  async signOut(): Promise<void> {
    const token = accessToken;
    forget(null);
    otherTabs?.postMessage('signed-out');
    await fetch('/auth/logout', {
      method: 'POST',
      headers: token ? { Authorization: `Bearer ${token}` } : {},
    }).catch(() => undefined);
  },

  /** Renews the access token with the refresh cookie: once for all waiting callers, one tab at a time. False means signed out. */
  refresh(): Promise<boolean> {
    refreshing ??= oneTabAtATime(renew).finally(() => (refreshing = null));
    return refreshing;
  },

  /** Reloads the user's permissions; limited to once in a while. */
  refreshSoon(): void {
    if (Date.now() - acceptedAt > RETRY_MS) void session.refresh();
  },

  /** The server no longer accepts the session. */
  end(reason: SignOutReason): void {
    forget(state.status === 'signedOut' ? null : reason);
  },
};

async function renew(): Promise<boolean> {
  try {
    accept(await post<SignedIn>('/auth/refresh', refreshToken ? { refreshToken } : undefined));
    return true;
  } catch (error) {
    // Only a rejection ends the session; if the server is down or busy, the request is retried.
    if (!(error instanceof ApiProblem) || error.status !== 401) {
      if (accessToken !== null) renewLater(RETRY_MS);
      return accessToken !== null;
    }
    session.end(error.code === 'account_inactive' ? 'inactive' : 'ended');
    return false;
  }
}

function accept({ expiresIn, user, ...tokens }: SignedIn): void {
  accessToken = tokens.accessToken;
  acceptedAt = Date.now();
  refreshToken = window.parent === window ? null : tokens.refreshToken;
  hint.set();
  renewLater(Math.max(expiresIn * 1000 - RENEW_BEFORE_END_MS, 5_000));
  set({ status: 'signedIn', user, reason: null });
}

function forget(reason: SignOutReason | null): void {
  accessToken = null;
  refreshToken = null;
  clearTimeout(renewal);
  hint.clear();
  set({ status: 'signedOut', user: null, reason });
}

/** Remembers that a user signed in here. */
const hint = {
  isSet: () => typeof browserStorage()?.getItem(HINT) === 'string',
  set: () => browserStorage()?.setItem(HINT, '1'),
  clear: () => browserStorage()?.removeItem(HINT),
};

function renewLater(delay: number): void {
  clearTimeout(renewal);
  renewal = setTimeout(() => void session.refresh(), delay);
}

function set(next: SessionState): void {
  state = next;
  for (const listener of listeners) listener();
}

async function oneTabAtATime(work: () => Promise<boolean>): Promise<boolean> {
  return 'locks' in navigator ? navigator.locks.request('session-refresh', work) : work();
}

async function post<Result>(path: string, body?: unknown): Promise<Result> {
  const response = await fetch(path, {
    method: 'POST',
    headers: body ? { 'Content-Type': 'application/json' } : {},
    body: body ? JSON.stringify(body) : undefined,
  }).catch(() => {
    throw ApiProblem.unreachable();
  });
  if (!response.ok) throw await ApiProblem.fromResponse(response);
  return (await response.json()) as Result;
}

otherTabs?.addEventListener('message', ({ data }) => {
  if (data === 'signed-out' && state.status === 'signedIn') forget('elsewhere');
  if (data === 'signed-in' && state.status === 'signedOut') void session.refresh();
});
