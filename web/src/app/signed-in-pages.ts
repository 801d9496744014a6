import './texts';

export { AssetsPage } from '../assets/AssetsPage';
export { AppShell } from './AppShell';
export { clientsQuery } from './clients-query';
export { ClientLayout, PortalLayout } from './layouts';
export { queryClient } from './query-client';
