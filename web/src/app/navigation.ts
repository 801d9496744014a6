import { useMatch, type LinkProps } from '@tanstack/react-router';
import {
  Activity,
  Building2,
  Images,
  KeyRound,
  Send,
  Stethoscope,
  Trash2,
  Users,
  Waypoints,
  type LucideIcon,
} from 'lucide-react';
import type { Messages } from '../i18n/messages';
import type { Permission } from '../session/permission';
import { useSession } from '../session/use-session';

export interface NavItem {
  readonly label: keyof Messages['shell']['nav'];
  readonly link: Pick<LinkProps, 'to' | 'params'>;
  readonly icon: LucideIcon;
}

type Candidate = NavItem & { permission: Permission };

function ofClient(clientId: string): Candidate[] {
  const params = { clientId };
  return [
    {
      label: 'assets',
      permission: 'assets:read',
      link: { to: '/clients/$clientId/assets', params },
      icon: Images,
    },
    {
      label: 'deliveries',
      permission: 'deliveries:read',
      link: { to: '/clients/$clientId/deliveries', params },
      icon: Send,
    },
    {
      label: 'targets',
      permission: 'targets:read',
      link: { to: '/clients/$clientId/targets', params },
      icon: Waypoints,
    },
    {
      label: 'activity',
      permission: 'audit:read',
      link: { to: '/clients/$clientId/activity', params },
      icon: Activity,
    },
    {
      label: 'diagnostics',
      permission: 'diagnostics:read',
      link: { to: '/clients/$clientId/diagnostics', params },
      icon: Stethoscope,
    },
  ];
}

const OF_PLATFORM: Candidate[] = [
  { label: 'clients', permission: 'clients:read', link: { to: '/clients' }, icon: Building2 },
  { label: 'users', permission: 'users:manage', link: { to: '/users' }, icon: Users },
  { label: 'apiKeys', permission: 'api-keys:manage', link: { to: '/api-keys' }, icon: KeyRound },
  { label: 'system', permission: 'diagnostics:read', link: { to: '/diagnostics' }, icon: Stethoscope },
];

const OF_PORTAL: Candidate[] = [
  { label: 'assets', permission: 'assets:read', link: { to: '/library' }, icon: Images },
  { label: 'trash', permission: 'assets:read', link: { to: '/library/trash' }, icon: Trash2 },
];

export function useClientIdOfPage(): string | undefined {
  return useMatch({ from: '/app/clients/$clientId', shouldThrow: false })?.params.clientId;
}

/** The pages that the user has access to: those of the client, and those of the whole platform. */
export function useNavigation(): { page: NavItem[]; platform: NavItem[] } {
  const { side, can } = useSession();
  const clientId = useClientIdOfPage();
  const allowed = (candidates: Candidate[]) => candidates.filter(({ permission }) => can(permission));
  if (side === 'portal') return { page: allowed(OF_PORTAL), platform: [] };
  const platform = allowed(OF_PLATFORM);
  return clientId === undefined
    ? { page: platform, platform }
    : { page: allowed(ofClient(clientId)), platform };
}
