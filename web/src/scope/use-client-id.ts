import { useMatch } from '@tanstack/react-router';
import { useIsClientMissing } from './clients-query';

/** The client in the address; undefined on pages of the platform and in the portal. */
export function useClientIdOfPage(): string | undefined {
  const clientId = useMatch({ from: '/app/clients/$clientId', shouldThrow: false })?.params.clientId;
  return useIsClientMissing(clientId) ? undefined : clientId;
}
