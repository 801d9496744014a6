import { ApiProblem } from './problem';
import type { components } from './schema';
import { browserStorage } from '../browser/browser-storage';
import { embedToken } from '../browser/embed-token';

export type User = components['schemas']['MeDto'];
type SignedIn = Pick<
  components['schemas']['SignedInDto'],
  'accessToken' | 'refreshToken' | 'expiresIn' | 'user'
>;

/** What a token of the embedding page allows, with the access token for it. */
export type OpenedPicker = components['schemas']['OpenedPickerDto'];

/** Why a user was signed out automatically. `forgotten`: in a frame, because the browser refused our cookie. */
export type SignOutReason = 'ended' | 'inactive' | 'elsewhere' | 'forgotten';

export interface SessionState {
  readonly status: 'starting' | 'signedOut' | 'signedIn';
  readonly user: User | null;
  readonly reason: SignOutReason | null;
  /** Whether a reload keeps the user signed in. False in a frame in which the browser refuses our cookie. */
  readonly isRemembered: boolean;
}

const RENEW_BEFORE_END_MS = 60_000;
const RETRY_MS = 15_000;
const HINT = 'session';
const isFramed = window.parent !== window;

let state: SessionState = { status: 'starting', user: null, reason: null, isRemembered: true };
let accessToken: string | null = null;
let acceptedAt = 0;
/** Only in a frame in which the browser refuses our cookie. */
let refreshToken: string | null = null;
/** Whether the embedding page gave access instead of a sign-in. It cannot be renewed. */
let isByToken = false;
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
    isByToken = embedToken.isExpected();
    if (isByToken || !hint.mayBeSet() || !(await session.refresh())) {
      if (state.status === 'starting') set({ status: 'signedOut', user: null, reason: null });
    }
  },

  async signIn(email: string, password: string): Promise<User> {
    const signedIn = await post<SignedIn>('/auth/login', { email, password, ...ofFrame() });
    accept(signedIn);
    if (isFramed) refreshing ??= oneTabAtATime(() => tryCookie(signedIn)).finally(() => (refreshing = null));
    otherTabs?.postMessage('signed-in');
    return signedIn.user;
  },

  /** With an invitation or a link to choose a new password. If it works, whoever was signed in here is signed out. */
  async signInWithLink(token: string, password: string): Promise<void> {
    const signedIn = await post<SignedIn>('/auth/invitations/accept', { token, password });
    const previous = accessToken;
    if (state.status === 'signedIn') forgetEverywhere();
    accept(signedIn);
    otherTabs?.postMessage('signed-in');
    // Without cookies: they are already those of the new sign-in.
    if (previous) await logOut(previous, 'omit');
  },

  /** The user has changed their own name. */
  update(user: User): void {
    set({ ...state, user });
  },

  /** Exchanges the token of the embedding page. The access is kept in memory only, and ends within an hour. */
  async openPicker(token: string): Promise<OpenedPicker> {
    const opened = await post<OpenedPicker>('/auth/picker', { token });
    isByToken = true;
    accessToken = opened.accessToken;
    refreshToken = null;
    renewLater(opened.expiresIn * 1000);
    set({ status: 'signedIn', user: userOf(opened), reason: null });
    return opened;
  },

  async signOut(): Promise<void> {
    const token = accessToken;
    forgetEverywhere();
    await logOut(token, 'same-origin');
  },

  /** Renews the access token with the refresh cookie: once for all waiting callers, one tab at a time. False means signed out. */
  refresh(): Promise<boolean> {
    refreshing ??= oneTabAtATime(renew).finally(() => (refreshing = null));
    return refreshing;
  },

  /** Reloads the user's permissions; limited to once in a while. */
  refreshSoon(): void {
    if (!isByToken && Date.now() - acceptedAt > RETRY_MS) void session.refresh();
  },

  /** The server no longer accepts the session. */
  end(reason: SignOutReason | null): void {
    forget(state.status === 'signedOut' ? null : reason);
  },
};

async function renew(): Promise<boolean> {
  if (isByToken) {
    session.end('ended');
    return false;
  }
  try {
    const isKept = refreshToken !== null;
    const signedIn = await post<SignedIn>('/auth/refresh', refreshBody());
    accept(signedIn);
    if (isKept) refreshToken = signedIn.refreshToken;
    return true;
  } catch (error) {
    // Only a rejection ends the session; if the server is down or busy, the request is retried.
    if (!(error instanceof ApiProblem) || error.status !== 401) {
      if (accessToken !== null) renewLater(RETRY_MS);
      return accessToken !== null;
    }
    session.end(error.code === 'account_inactive' ? 'inactive' : reasonOfEnd());
    return false;
  }
}

function reasonOfEnd(): SignOutReason | null {
  if (state.status !== 'starting') return 'ended';
  if (hint.says(FORGOTTEN)) return 'forgotten';
  return hint.isSet() ? 'ended' : null;
}

/** After signing in in a frame: whether the browser sends our cookie there. If not, the page keeps the refresh token itself. */
async function tryCookie(signedIn: SignedIn): Promise<boolean> {
  try {
    accept(await post<SignedIn>('/auth/refresh', ofFrame()));
    hint.set();
    set({ ...state, isRemembered: true });
  } catch (error) {
    refreshToken = signedIn.refreshToken;
    if (!(error instanceof ApiProblem) || error.status !== 401) return true;
    hint.set(FORGOTTEN);
    set({ ...state, isRemembered: false });
  }
  return true;
}

/** In a frame, the service also sets a cookie that browsers may send there. */
const ofFrame = () => (isFramed ? { embedded: true } : {});

function refreshBody() {
  if (refreshToken !== null) return { refreshToken, ...ofFrame() };
  return isFramed ? ofFrame() : undefined;
}

/** What the pages need to know of whoever the embedding page lets in. */
function userOf({ clientId, surface, uploads }: OpenedPicker): User {
  return {
    userId: `picker:${clientId}:${surface ?? ''}`,
    email: null,
    name: '',
    role: 'viewer',
    permissions: ['platform:access', 'assets:read', ...(uploads ? (['assets:write'] as const) : [])],
    clientIds: [clientId],
    clientName: null,
  };
}

function accept({ expiresIn, user, ...tokens }: SignedIn): void {
  isByToken = false;
  accessToken = tokens.accessToken;
  acceptedAt = Date.now();
  refreshToken = null;
  if (state.isRemembered) hint.set();
  renewLater(Math.max(expiresIn * 1000 - RENEW_BEFORE_END_MS, 5_000));
  set({ status: 'signedIn', user, reason: null });
}

function forget(reason: SignOutReason | null): void {
  accessToken = null;
  refreshToken = null;
  clearTimeout(renewal);
  if (!isByToken) hint.clear();
  set({ status: 'signedOut', user: null, reason });
}

/** In this tab and in all others. */
function forgetEverywhere(): void {
  forget(null);
  otherTabs?.postMessage('signed-out');
}

async function logOut(token: string | null, credentials: RequestCredentials): Promise<void> {
  const headers: HeadersInit = token ? { Authorization: `Bearer ${token}` } : {};
  await fetch('/auth/logout', { method: 'POST', headers, credentials }).catch(() => undefined);
}

/** The hint of a frame whose cookie the browser refused. */
const FORGOTTEN = 'forgotten';

/** Remembers that a user signed in here. */
const hint = {
  isSet: () => typeof browserStorage()?.getItem(HINT) === 'string',
  /** A browser may deny storage in a frame but keep our cookie for it. */
  mayBeSet: () => hint.isSet() || (isFramed && browserStorage() === null),
  says: (value: string) => browserStorage()?.getItem(HINT) === value,
  set: (value = '1') => browserStorage()?.setItem(HINT, value),
  clear: () => browserStorage()?.removeItem(HINT),
};

function renewLater(delay: number): void {
  clearTimeout(renewal);
  renewal = setTimeout(() => void session.refresh(), delay);
}

function set(next: Omit<SessionState, 'isRemembered'> & { isRemembered?: boolean }): void {
  state = { isRemembered: state.isRemembered, ...next };
  for (const listener of listeners) listener();
}

async function oneTabAtATime(work: () => Promise<boolean>): Promise<boolean> {
  let hasStarted = false;
  const start = () => {
    hasStarted = true;
    return work();
  };
  try {
    return await ('locks' in navigator ? navigator.locks.request('session-refresh', start) : start());
  } catch (error) {
    // A browser may deny locks in a frame on another site.
    if (hasStarted) throw error;
    return start();
  }
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
  if (isByToken) return;
  if (data === 'signed-out' && state.status === 'signedIn') forget('elsewhere');
  if (data === 'signed-in' && state.status === 'signedOut') void session.refresh();
});
