import { useQuery } from '@tanstack/react-query';
import { clientsQuery } from './clients-query';
import { useClientIdOfPage } from './navigation';

/** The client whose pages are shown on the admin side; the portal only has one. */
export function useClientName(): string | undefined {
  const clientId = useClientIdOfPage();
  const { data: clients } = useQuery({ ...clientsQuery, enabled: clientId !== undefined });
  return clients?.find((client) => client.clientId === clientId)?.name ?? clientId;
}
