import '../texts';
import { useTranslations } from '../../i18n';
import { AdminPage } from '../shared/AdminPage';
import { Integrations } from './Integrations';
import { LandingPages } from './LandingPages';

/** The systems a client is connected to, and whether the connections work. */
export function ClientDiagnosticsPage() {
  const t = useTranslations('admin.diagnostics');
  return (
    <AdminPage title={t('client')} description={t('clientText')}>
      <Integrations />
      <LandingPages />
    </AdminPage>
  );
}
