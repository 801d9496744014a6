import { useTranslations } from '../../i18n';
import { AdminPage } from '../shared/AdminPage';
import { AdsCard } from './AdsCard';
import { AgentsCard } from './AgentsCard';
import { AttributionCard } from './AttributionCard';
import styles from './DiagnosticCard.module.css';
import { Integrations } from './Integrations';
import { StorageCard } from './StorageCard';

/** The systems a client depends on, and whether they work. */
export function ClientDiagnosticsPage() {
  const t = useTranslations('admin.diagnostics');
  return (
    <AdminPage title={t('client')} description={t('clientText')}>
      <div className={styles.cards}>
        <StorageCard />
        <AgentsCard />
        <AdsCard />
        <AttributionCard />
      </div>
      <Integrations />
    </AdminPage>
  );
}
