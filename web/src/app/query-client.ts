import { QueryClient } from '@tanstack/react-query';
import { ApiProblem } from '../api/problem';

const worthRepeating = (error: unknown) =>
  error instanceof ApiProblem && (error.status === 0 || error.status === 429 || error.status >= 500);

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 15_000,
      retry: (count, error) => count < 2 && worthRepeating(error) && !isFinal(error),
      refetchOnWindowFocus: true,
    },
    mutations: { retry: false },
  },
});

/** A repeat changes nothing until somebody changes the configuration. */
function isFinal(error: unknown): boolean {
  return error instanceof ApiProblem && error.code === 'storage_not_configured';
}
