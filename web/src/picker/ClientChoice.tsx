import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { adminApi, body } from '../api/client';
import { useTranslations } from '../i18n';
import { ClientMark } from '../ui/Avatar';
import { Button } from '../ui/Button';
import { ErrorState } from '../ui/ErrorState';
import { Skeleton } from '../ui/Skeleton';
import styles from './Picker.module.css';

export interface ClientChoiceProps {
  onChoose: (clientId: string, isOnlyOne: boolean) => void;
  onCancel: () => void;
}

/** Chooses the client. Users with a single client are not asked. */
export function ClientChoice({ onChoose, onCancel }: ClientChoiceProps) {
  const t = useTranslations('picker');
  const clients = useQuery({
    queryKey: ['clients', 'picker'],
    queryFn: ({ signal }) =>
      body(adminApi.GET('/admin/clients', { params: { query: { limit: 200 } }, signal })),
  });
  const only = clients.data?.clients.length === 1 ? clients.data.clients[0]?.clientId : undefined;
  useEffect(() => {
    if (only !== undefined) onChoose(only, true);
  }, [only, onChoose]);
  return (
    <main className={styles.page}>
      <header className={styles.bar}>
        <h1 className={styles.title}>{t('chooseClient')}</h1>
      </header>
      <div className={styles.content}>
        {clients.error && <ErrorState error={clients.error} onRetry={() => void clients.refetch()} />}
        {clients.isPending && [0, 1, 2].map((row) => <Skeleton key={row} height={48} radius={8} />)}
        <ul className={styles.clients}>
          {clients.data?.clients.map(({ clientId, name }) => (
            <li key={clientId}>
              <Button
                variant="ghost"
                isWide
                className={styles.client}
                onPress={() => onChoose(clientId, false)}
                icon={<ClientMark clientId={clientId} name={name} />}
              >
                {name}
              </Button>
            </li>
          ))}
        </ul>
      </div>
      <footer className={styles.footer}>
        <Button onPress={onCancel}>{t('cancel')}</Button>
      </footer>
    </main>
  );
}
