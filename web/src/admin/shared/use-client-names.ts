import { useQuery } from '@tanstack/react-query';
import { clientsQuery } from '../../scope/clients-query';
import { useTranslations } from '../../i18n';
import { useFormat } from '../../i18n/use-format';

const SHOWN = 3;

/** The names of `clientIds`. */
export function useClientNames(): (clientIds: readonly string[] | null) => string {
  const t = useTranslations('admin.clientsField');
  const format = useFormat();
  const { data: clients = [] } = useQuery(clientsQuery);
  return (clientIds) => {
    if (clientIds === null) return t('all');
    if (clientIds.length === 0) return t('none');
    const names = clientIds.map((id) => clients.find((client) => client.clientId === id)?.name ?? id);
    return names.length <= SHOWN ? format.list(names) : t('count', { count: names.length });
  };
}
