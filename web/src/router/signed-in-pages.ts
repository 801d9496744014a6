import { libraryTexts } from '../i18n/library-texts';
import { addTexts } from '../i18n/messages';

addTexts(libraryTexts);

export { AssetsPage } from '../assets/AssetsPage';
export { clientsQuery } from '../scope/clients-query';
export { queryClient } from '../api/query-client';
export { AppShell } from '../shell/AppShell';
export { ClientLayout, PortalLayout } from '../shell/layouts';
