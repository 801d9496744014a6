import { useEffect, useState } from 'react';
import type { components } from '../api/schema';

/** Whether the service can send a link to somebody who forgot the password. */
export function usePasswordReset(): boolean {
  const [isOffered, setOffered] = useState(false);
  useEffect(() => {
    const leaving = new AbortController();
    const load = async () => {
      const response = await fetch('/auth/options', { signal: leaving.signal });
      if (!response.ok) return;
      const options = (await response.json()) as components['schemas']['SignInOptionsDto'];
      setOffered(options.passwordReset);
    };
    // Without an answer, the page works as without mail.
    load().catch(() => undefined);
    return () => leaving.abort();
  }, []);
  return isOffered;
}
