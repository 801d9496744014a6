import { useQuery } from '@tanstack/react-query';
import { Suspense } from 'react';
import { lazyWithTexts } from '../i18n/lazy-with-texts';
import { adminApi, body } from '../api/client';
import type { Messages } from '../i18n/messages';

export type StorageState = Exclude<keyof Messages['storage'], 'check'>;

const StorageProblem = lazyWithTexts(() => import('./StorageProblem'));

/** Explains why uploads and previews do not work. Hidden while they do. */
export function StorageBanner() {
  const { data } = useQuery({
    queryKey: ['status'],
    queryFn: ({ signal }) => body(adminApi.GET('/status', { signal })),
    staleTime: 60_000,
    refetchInterval: (query) => (query.state.data?.checks.storage === 'ok' ? false : 60_000),
    retry: false,
  });
  const state = data?.checks.storage ?? 'ok';
  if (state === 'ok') return null;
  return (
    <Suspense>
      <StorageProblem state={state} />
    </Suspense>
  );
}
