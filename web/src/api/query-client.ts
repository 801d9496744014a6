import { QueryClient } from '@tanstack/react-query';
import { ApiProblem } from './problem';
import { session } from './session-store';

const worthRepeating = (error: unknown) =>
  error instanceof ApiProblem && (error.status === 0 || error.status === 429 || error.status >= 500);

/** Also while the browser believes that it is offline: a service on this computer or its network can still be reached. */
const networkMode = 'always';

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      networkMode,
      refetchOnReconnect: true,
      staleTime: 15_000,
      retry: (count, error) => count < 2 && worthRepeating(error) && !isFinal(error),
      refetchOnWindowFocus: true,
    },
    mutations: { networkMode, retry: false },
  },
});

/** The next user of this browser must not see data of the previous one. */
let userId = session.get().user?.userId;
session.subscribe(() => {
  const next = session.get().user?.userId;
  if (next !== userId) queryClient.clear();
  userId = next;
});

/** Retrying does not help until someone changes the configuration. */
function isFinal(error: unknown): boolean {
  return error instanceof ApiProblem && error.code === 'storage_not_configured';
}
