import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ApiProblem } from '../../api/problem';
import { useTranslations } from '../../i18n';
import { ProblemNote } from '../../ui/ErrorState';
import { Select } from '../../ui/Select';
import { Skeleton } from '../../ui/Skeleton';
import { useClientNames } from '../shared/use-client-names';
import styles from './Diagnostics.module.css';

/** The result of a lookup by id, or its error, or a skeleton while it is loading. If several clients use the id, one has to be chosen. */
export function LookupResult<Found>({
  query: { data, error },
  onChooseClient,
  children,
}: {
  query: UseQueryResult<Found>;
  onChooseClient: (clientId: string) => void;
  children: (found: Found) => ReactNode;
}) {
  return (
    <div className={styles.result}>
      {error instanceof ApiProblem && error.code === 'client_required' ? (
        <ClientChoice clientIds={error.document['clientIds'] as string[]} onChoose={onChooseClient} />
      ) : error ? (
        <ProblemNote error={error} />
      ) : data !== undefined ? (
        children(data)
      ) : (
        <Skeleton height={96} radius={8} />
      )}
    </div>
  );
}

function ClientChoice({
  clientIds,
  onChoose,
}: {
  clientIds: readonly string[];
  onChoose: (clientId: string) => void;
}) {
  const t = useTranslations('admin.diagnostics');
  const clientNames = useClientNames();
  return (
    <div className={styles.form}>
      <Select
        label={t('severalClients')}
        placeholder={t('chooseClient')}
        options={clientIds.map((id) => ({ id, label: clientNames([id]) }))}
        onChange={onChoose}
      />
    </div>
  );
}
