import { useQuery } from '@tanstack/react-query';
import { useSession } from '../api/use-session';
import { clientsQuery } from './clients-query';
import { useClientIdOfPage } from './use-client-id';

/** The client whose pages are shown: the one in the address, or the only one of the portal. */
export function useClientName(): string | undefined {
  const { user } = useSession();
  const clientId = useClientIdOfPage();
  const { data: clients } = useQuery({ ...clientsQuery, enabled: clientId !== undefined });
  if (clientId === undefined) return user.clientName ?? undefined;
  return clients?.find((client) => client.clientId === clientId)?.name ?? clientId;
}
