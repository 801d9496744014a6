import { type LinkProps, type RegisteredRouter, useRouter } from '@tanstack/react-router';
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
import { useClientIdOfPage } from '../scope/use-client-id';
import { useSession } from '../api/use-session';

type Path = Extract<LinkProps['to'], keyof RegisteredRouter['routesByPath']>;

export interface NavItem {
  readonly label: keyof Messages['shell']['nav'];
  readonly link: { readonly to: Path; readonly params?: { clientId: string } };
  readonly icon: LucideIcon;
}

function ofClient(clientId: string): NavItem[] {
  const params = { clientId };
  return [
    {
      label: 'assets',
      link: { to: '/clients/$clientId/assets', params },
      icon: Images,
    },
    {
      label: 'deliveries',
      link: { to: '/clients/$clientId/deliveries', params },
      icon: Send,
    },
    {
      label: 'targets',
      link: { to: '/clients/$clientId/targets', params },
      icon: Waypoints,
    },
    {
      label: 'activity',
      link: { to: '/clients/$clientId/activity', params },
      icon: Activity,
    },
    {
      label: 'diagnostics',
      link: { to: '/clients/$clientId/diagnostics', params },
      icon: Stethoscope,
    },
  ];
}

const OF_PLATFORM: NavItem[] = [
  { label: 'clients', link: { to: '/clients' }, icon: Building2 },
  { label: 'users', link: { to: '/users' }, icon: Users },
  { label: 'apiKeys', link: { to: '/api-keys' }, icon: KeyRound },
  { label: 'allActivity', link: { to: '/activity' }, icon: Activity },
  { label: 'system', link: { to: '/diagnostics' }, icon: Stethoscope },
];

const OF_PORTAL: NavItem[] = [
  { label: 'assets', link: { to: '/library' }, icon: Images },
  { label: 'trash', link: { to: '/library/trash' }, icon: Trash2 },
  { label: 'activity', link: { to: '/library/activity' }, icon: Activity },
];

/** The pages that the user has access to: those of the client, and those of the whole platform. */
export function useNavigation(): { page: NavItem[]; platform: NavItem[] } {
  const { side, can } = useSession();
  const clientId = useClientIdOfPage();
  const { routesByPath } = useRouter();
  const allowed = (items: NavItem[]) =>
    items.filter(({ link }) => {
      const { permission } = routesByPath[link.to].options.staticData;
      return permission === null || can(permission);
    });
  if (side === 'portal') return { page: allowed(OF_PORTAL), platform: [] };
  const platform = allowed(OF_PLATFORM);
  return clientId === undefined
    ? { page: platform, platform }
    : { page: allowed(ofClient(clientId)), platform };
}
