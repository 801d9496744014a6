import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Building2, Plus, Search } from 'lucide-react';
import { useState } from 'react';
import { clientsQuery, type Client } from '../../scope/clients-query';
import { useTranslations } from '../../i18n';
import { useSession } from '../../api/use-session';
import { ClientMark } from '../../ui/Avatar';
import { Button } from '../../ui/Button';
import { EmptyState } from '../../ui/EmptyState';
import { ErrorState } from '../../ui/ErrorState';
import { MenuItem } from '../../ui/Menu';
import { SearchField } from '../../ui/SearchField';
import { Skeleton } from '../../ui/Skeleton';
import { AdminPage } from '../shared/AdminPage';
import { RowMenu } from '../shared/RowMenu';
import { ClientDialog } from './ClientDialog';
import styles from './ClientsPage.module.css';

const SEARCHABLE_FROM = 8;
/** A generated id means nothing to people, so it is not shown. */
const GENERATED = /^[0-9a-f]{8}-[0-9a-f-]{27}$/;

/** The client switcher: everyone's start page on the admin side. */
export function ClientsPage() {
  const t = useTranslations('admin.clients');
  const { can } = useSession();
  const { data: clients, error, refetch } = useQuery(clientsQuery);
  const [search, setSearch] = useState('');
  const [isCreating, setCreating] = useState(false);
  const [renamed, setRenamed] = useState<Client | null>(null);
  const newClient = can('clients:manage') && (
    <Button variant="primary" icon={<Plus aria-hidden />} onPress={() => setCreating(true)}>
      {t('create')}
    </Button>
  );
  const found = clients?.filter(({ name, clientId }) =>
    `${name} ${clientId}`.toLocaleLowerCase().includes(search.trim().toLocaleLowerCase()),
  );
  return (
    <AdminPage
      title={t('title')}
      description={t('description')}
      action={clients && clients.length > 0 && newClient}
      filters={
        (clients?.length ?? 0) >= SEARCHABLE_FROM && (
          <SearchField
            className={styles.search}
            label={t('search')}
            placeholder={t('search')}
            value={search}
            onChange={setSearch}
          />
        )
      }
    >
      {error ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : clients?.length === 0 ? (
        <EmptyState icon={<Building2 />} title={t('empty')} action={newClient}>
          {can('clients:manage') ? t('emptyText') : t('emptyReader')}
        </EmptyState>
      ) : found?.length === 0 ? (
        <EmptyState icon={<Search />} title={t('notFound', { search })} />
      ) : (
        <ul className={styles.list} aria-busy={!found}>
          {found?.map((client) => (
            <ClientCard key={client.clientId} client={client} onRename={() => setRenamed(client)} />
          )) ??
            Array.from({ length: 6 }, (_, index) => (
              <li key={index} className={styles.card}>
                <Skeleton width={40} height={40} radius={10} />
                <Skeleton width="50%" />
              </li>
            ))}
        </ul>
      )}
      <ClientDialog isOpen={isCreating} onOpenChange={setCreating} />
      <ClientDialog
        isOpen={renamed !== null}
        onOpenChange={() => setRenamed(null)}
        client={renamed ?? undefined}
      />
    </AdminPage>
  );
}

function ClientCard({ client, onRename }: { client: Client; onRename: () => void }) {
  const t = useTranslations('admin.clients');
  const { can } = useSession();
  return (
    <li className={styles.card}>
      <ClientMark clientId={client.clientId} name={client.name} size="large" />
      <div className={styles.text}>
        <Link className={styles.name} to="/clients/$clientId/assets" params={{ clientId: client.clientId }}>
          {client.name}
        </Link>
        {!GENERATED.test(client.clientId) && <span className={styles.id}>{client.clientId}</span>}
      </div>
      {can('clients:manage') && (
        <div className={styles.menu}>
          <RowMenu label={t('menu', { name: client.name })}>
            <MenuItem label={t('rename')} onAction={onRename} />
          </RowMenu>
        </div>
      )}
    </li>
  );
}
