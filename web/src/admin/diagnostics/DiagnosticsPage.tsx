import { useTranslations } from '../../i18n';
import { useSession } from '../../api/use-session';
import { AdminPage } from '../shared/AdminPage';
import { StatusSection } from './StatusSection';
import { StorageDoctor } from './StorageDoctor';

/** The state of the whole installation. */
export function DiagnosticsPage() {
  const t = useTranslations('admin.diagnostics');
  const { can } = useSession();
  return (
    <AdminPage title={t('system')} description={t('systemText')}>
      <StatusSection />
      {can('diagnostics:manage') && <StorageDoctor />}
    </AdminPage>
  );
}
