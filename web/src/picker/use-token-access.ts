import { useCallback, useEffect, useEffectEvent, useState } from 'react';
import { type OpenedPicker, session } from '../api/session-store';
import { useSessionState } from '../api/use-session';
import { embedToken } from '../browser/embed-token';
import { tellParent } from './parent-window';

const ASK_BEFORE_END_SECONDS = 60;

type TokenState =
  /** The user signs in. */
  | { readonly status: 'unused' }
  | { readonly status: 'opening' }
  | { readonly status: 'open'; readonly allowed: OpenedPicker }
  | { readonly status: 'ended'; readonly error: unknown };

const UNUSED: TokenState = { status: 'unused' };
const ENDED: TokenState = { status: 'ended', error: null };

function initialState(): TokenState {
  if (!embedToken.isExpected()) return UNUSED;
  return embedToken.isPresent() ? { status: 'opening' } : ENDED;
}

/**
 * Access by a token of the embedding page. A minute before it ends, and when it has ended, it asks that page for another
 * token, which may come as a message or in the fragment.
 */
export function useTokenAccess(origin: string | null) {
  const [state, setState] = useState<TokenState>(initialState);
  const { status } = useSessionState();
  const access = state.status === 'open' && status !== 'signedIn' ? ENDED : state;
  const isUsed = access.status !== 'unused';
  const hasEnded = access.status === 'ended';

  const ask = useCallback(() => {
    if (origin !== null) tellParent(origin, { type: 'client-asset-library:token-expired' });
  }, [origin]);

  const open = useEffectEvent(async (token: string) => {
    try {
      setState({ status: 'open', allowed: await session.openPicker(token) });
    } catch (error) {
      // The access so far may still be valid.
      setState((current) =>
        current.status === 'open' && session.get().status === 'signedIn'
          ? current
          : { status: 'ended', error },
      );
    }
  });

  useEffect(() => {
    const token = embedToken.use();
    if (token !== null && origin !== null) void open(token);
  }, [origin]);

  useEffect(() => {
    if (hasEnded) ask();
  }, [hasEnded, ask]);

  useEffect(() => {
    if (state.status !== 'open') return;
    const seconds = state.allowed.expiresIn - ASK_BEFORE_END_SECONDS;
    const timer = setTimeout(ask, seconds * 1000);
    return () => clearTimeout(timer);
  }, [state, ask]);

  useEffect(() => {
    if (!isUsed) return;
    const onMessage = ({ source, origin: sender, data }: MessageEvent<unknown>) => {
      const token = source === window.parent && sender === origin ? tokenIn(data) : null;
      if (token !== null) void open(token);
    };
    const onHashChange = () => {
      embedToken.take();
      const token = embedToken.use();
      if (token !== null) void open(token);
    };
    addEventListener('message', onMessage);
    addEventListener('hashchange', onHashChange);
    return () => {
      removeEventListener('message', onMessage);
      removeEventListener('hashchange', onHashChange);
    };
  }, [isUsed, origin]);

  const signInInstead = () => {
    embedToken.forget();
    setState(UNUSED);
    void session.start();
  };
  return { access, ask, signInInstead };
}

function tokenIn(data: unknown): string | null {
  if (typeof data !== 'object' || data === null) return null;
  const { type, token } = data as { type?: unknown; token?: unknown };
  return type === 'client-asset-library:token' && typeof token === 'string' ? token : null;
}
