import { useQuery } from '@tanstack/react-query';
import { ChevronsUpDown, LayoutGrid } from 'lucide-react';
import { Button } from 'react-aria-components/Button';
import { useTranslations } from '../i18n';
import { ClientMark } from '../ui/Avatar';
import { Menu, MenuItem, MenuSeparator, MenuTrigger } from '../ui/Menu';
import { Skeleton } from '../ui/Skeleton';
import styles from './AppShell.module.css';
import { clientsQuery } from '../scope/clients-query';

const SHOWN = 12;

/** Shows the current client and switches to another one. */
export function ClientSwitcher({ clientId }: { clientId: string }) {
  const t = useTranslations('shell');
  const { data: clients } = useQuery(clientsQuery);
  const name = clients?.find((client) => client.clientId === clientId)?.name ?? clientId;
  return (
    <MenuTrigger>
      <Button className={styles.client}>
        {clients ? (
          <>
            <ClientMark clientId={clientId} name={name} />
            <span className={styles.clientName} aria-hidden>
              {name}
            </span>
          </>
        ) : (
          <Skeleton width={128} height={12} />
        )}
        <span className="visually-hidden">{t('switchClient', { name })}</span>
        <ChevronsUpDown size={14} aria-hidden />
      </Button>
      <Menu aria-label={t('clients')}>
        {clients?.slice(0, SHOWN).map((client) => (
          <MenuItem
            key={client.clientId}
            id={client.clientId}
            label={client.name}
            icon={<ClientMark clientId={client.clientId} name={client.name} />}
            href={`/clients/${client.clientId}/assets`}
          />
        ))}
        <MenuSeparator />
        <MenuItem id="all" label={t('allClients')} icon={<LayoutGrid aria-hidden />} href="/clients" />
      </Menu>
    </MenuTrigger>
  );
}
