import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ProblemNote } from '../../ui/ErrorState';
import { Skeleton } from '../../ui/Skeleton';
import styles from './Diagnostics.module.css';

/** The result of a lookup by id, or its error, or a skeleton while it is loading. */
export function LookupResult<Found>({
  query: { data, error },
  children,
}: {
  query: UseQueryResult<Found>;
  children: (found: Found) => ReactNode;
}) {
  return (
    <div className={styles.result}>
      {error ? (
        <ProblemNote error={error} />
      ) : data !== undefined ? (
        children(data)
      ) : (
        <Skeleton height={96} radius={8} />
      )}
    </div>
  );
}
