import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
  type ErrorComponentProps,
} from '@tanstack/react-router';
import { activitySearch } from '../admin/audit/activity-search';
import { deliveriesSearch } from '../admin/deliveries/deliveries-search';
import { parseSearch, stringifySearch } from '../browser/search-params';
import { withTexts } from '../i18n/lazy-with-texts';
import { librarySearch } from '../library/library-search';
import { pickerSearch } from '../picker/picker-search';
import { signInSearch } from '../sign-in/sign-in-search';
import { SignInPage } from '../sign-in/SignInPage';
import type { Permission } from '../api/permission';
import { session } from '../api/session-store';
import { sideOf } from '../api/use-session';
import { ErrorPage } from './ErrorPage';
import { loadSignedInPages, preloadSignedInPages } from './load-signed-in-pages';

const notFoundPage = lazyRouteComponent(withTexts(() => import('../missing/NotFoundPage')));

const root = createRootRoute({
  staticData: { permission: null },
  component: Outlet,
  notFoundComponent: notFoundPage,
});

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  staticData: { permission: null },
  validateSearch: signInSearch,
  beforeLoad: ({ search }) => {
    if (session.get().status === 'signedIn')
      redirect({ throw: true, href: search.next ?? '/', replace: true });
  },
  // The library loads while the user types.
  component: () => <SignInPage onInput={preloadSignedInPages} />,
});

const invitation = createRoute({
  getParentRoute: () => root,
  path: '/invitation',
  staticData: { permission: null },
  component: lazyRouteComponent(
    withTexts(() => import('../sign-in/InvitationPage')),
    'InvitationPage',
  ),
});

const forgotPassword = createRoute({
  getParentRoute: () => root,
  path: '/forgot-password',
  staticData: { permission: null },
  component: lazyRouteComponent(
    withTexts(() => import('../sign-in/ForgotPasswordPage')),
    'ForgotPasswordPage',
  ),
});

const picker = createRoute({
  getParentRoute: () => root,
  path: '/embed/picker',
  staticData: { permission: null },
  validateSearch: pickerSearch,
  component: lazyRouteComponent(
    withTexts(() => import('../picker/PickerPage')),
    'PickerPage',
  ),
});

/** Everything below requires a signed-in user. After sign-in, the user returns to the requested address. */
const app = createRoute({
  getParentRoute: () => root,
  id: 'app',
  staticData: { permission: null },
  beforeLoad: ({ location }) => {
    if (session.get().status === 'signedIn') return;
    redirect({
      throw: true,
      to: '/sign-in',
      search: { next: location.href === '/' ? undefined : location.href },
      replace: true,
    });
  },
  component: lazyRouteComponent(loadSignedInPages, 'AppShell'),
});

const home = createRoute({
  getParentRoute: () => app,
  path: '/',
  staticData: { permission: null },
  beforeLoad: async () => {
    const { user } = session.get();
    if (!user) return;
    if (sideOf(user) === 'portal') redirect({ throw: true, to: '/library', replace: true });
    const { clientsQuery, queryClient } = await loadSignedInPages();
    const clients = await queryClient.ensureQueryData(clientsQuery).catch(() => []);
    const [only] = clients;
    if (only && clients.length === 1) {
      redirect({
        throw: true,
        to: '/clients/$clientId/assets',
        params: { clientId: only.clientId },
        replace: true,
      });
    }
    redirect({ throw: true, to: '/clients', replace: true });
  },
});

const clients = createRoute({
  getParentRoute: () => app,
  path: '/clients',
  staticData: { permission: 'clients:read' },
  component: lazyRouteComponent(
    withTexts(() => import('../admin/clients/ClientsPage')),
    'ClientsPage',
  ),
});

const client = createRoute({
  getParentRoute: () => app,
  path: '/clients/$clientId',
  staticData: { permission: 'clients:read' },
  beforeLoad: ({ params, location }) => {
    // Links are the same for everyone. A client's own users have its pages at other addresses.
    const { user } = session.get();
    if (!user || sideOf(user) !== 'portal' || user.clientIds?.[0] !== params.clientId) return;
    const [, page] = /\/(assets|trash)$/.exec(location.pathname) ?? [];
    if (page === undefined) return;
    const path = page === 'trash' ? '/library/trash' : '/library';
    redirect({ throw: true, href: path + location.searchStr, replace: true });
  },
  component: lazyRouteComponent(loadSignedInPages, 'ClientLayout'),
  notFoundComponent: notFoundPage,
});

const clientHome = createRoute({
  getParentRoute: () => client,
  path: '/',
  staticData: { permission: 'assets:read' },
  beforeLoad: ({ params }) => {
    redirect({ throw: true, to: '/clients/$clientId/assets', params, replace: true });
  },
});

const assetsPage = lazyRouteComponent(loadSignedInPages, 'AssetsPage');
const trashPage = lazyRouteComponent(
  withTexts(() => import('../trash/TrashPage')),
  'TrashPage',
);

const clientAssets = createRoute({
  getParentRoute: () => client,
  path: '/assets',
  staticData: { permission: 'assets:read' },
  validateSearch: librarySearch,
  component: assetsPage,
});
const clientTrash = createRoute({
  getParentRoute: () => client,
  path: '/trash',
  staticData: { permission: 'assets:read' },
  component: trashPage,
});

const clientDeliveries = createRoute({
  getParentRoute: () => client,
  path: '/deliveries',
  staticData: { permission: 'deliveries:read' },
  validateSearch: deliveriesSearch,
  component: lazyRouteComponent(
    withTexts(() => import('../admin/deliveries/DeliveriesPage')),
    'DeliveriesPage',
  ),
});
const clientTargets = createRoute({
  getParentRoute: () => client,
  path: '/targets',
  staticData: { permission: 'targets:read' },
  component: lazyRouteComponent(
    withTexts(() => import('../admin/targets/TargetsPage')),
    'TargetsPage',
  ),
});
const clientActivity = createRoute({
  getParentRoute: () => client,
  path: '/activity',
  staticData: { permission: 'audit:read' },
  validateSearch: activitySearch,
  component: lazyRouteComponent(
    withTexts(() => import('../admin/audit/ActivityPage')),
    'ActivityPage',
  ),
});
const clientDiagnostics = createRoute({
  getParentRoute: () => client,
  path: '/diagnostics',
  staticData: { permission: 'diagnostics:read' },
  component: lazyRouteComponent(
    withTexts(() => import('../admin/diagnostics/ClientDiagnosticsPage')),
    'ClientDiagnosticsPage',
  ),
});

const activity = createRoute({
  getParentRoute: () => app,
  path: '/activity',
  staticData: { permission: 'audit:read-all' },
  validateSearch: activitySearch,
  component: lazyRouteComponent(
    withTexts(() => import('../admin/audit/AllActivityPage')),
    'AllActivityPage',
  ),
});
const users = createRoute({
  getParentRoute: () => app,
  path: '/users',
  staticData: { permission: 'portal-users:manage' },
  component: lazyRouteComponent(
    withTexts(() => import('../admin/users/UsersPage')),
    'UsersPage',
  ),
});
const apiKeys = createRoute({
  getParentRoute: () => app,
  path: '/api-keys',
  staticData: { permission: 'api-keys:manage' },
  component: lazyRouteComponent(
    withTexts(() => import('../admin/api-keys/ApiKeysPage')),
    'ApiKeysPage',
  ),
});
const diagnostics = createRoute({
  getParentRoute: () => app,
  path: '/diagnostics',
  staticData: { permission: 'diagnostics:read' },
  component: lazyRouteComponent(
    withTexts(() => import('../admin/diagnostics/DiagnosticsPage')),
    'DiagnosticsPage',
  ),
});

const profile = createRoute({
  getParentRoute: () => app,
  path: '/profile',
  staticData: { permission: null },
  component: lazyRouteComponent(
    withTexts(() => import('../profile/ProfilePage')),
    'ProfilePage',
  ),
});

const library = createRoute({
  getParentRoute: () => app,
  path: '/library',
  staticData: { permission: 'portal:access' },
  component: lazyRouteComponent(loadSignedInPages, 'PortalLayout'),
  notFoundComponent: notFoundPage,
});
const libraryAssets = createRoute({
  getParentRoute: () => library,
  path: '/',
  staticData: { permission: 'assets:read' },
  validateSearch: librarySearch,
  component: assetsPage,
});
const libraryTrash = createRoute({
  getParentRoute: () => library,
  path: '/trash',
  staticData: { permission: 'assets:read' },
  component: trashPage,
});
const libraryActivity = createRoute({
  getParentRoute: () => library,
  path: '/activity',
  staticData: { permission: 'audit:read' },
  validateSearch: activitySearch,
  component: lazyRouteComponent(
    withTexts(() => import('../admin/audit/PortalActivityPage')),
    'PortalActivityPage',
  ),
});

const routeTree = root.addChildren([
  signIn,
  invitation,
  forgotPassword,
  picker,
  app.addChildren([
    home,
    clients,
    client.addChildren([
      clientHome,
      clientAssets,
      clientTrash,
      clientDeliveries,
      clientTargets,
      clientActivity,
      clientDiagnostics,
    ]),
    activity,
    users,
    apiKeys,
    diagnostics,
    profile,
    library.addChildren([libraryAssets, libraryTrash, libraryActivity]),
  ]),
]);

export const router = createRouter({
  routeTree,
  parseSearch,
  stringifySearch,
  defaultPreload: 'intent',
  defaultErrorComponent: ({ error }: ErrorComponentProps) => <ErrorPage error={error} />,
  scrollRestoration: true,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
  interface StaticDataRouteOption {
    /** What a signed-in user needs for the page; AppShell checks it. Null: nothing more. */
    permission: Permission | null;
  }
}
