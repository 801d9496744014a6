import { HardDrive } from 'lucide-react';
import { useQuery } from '@tanstack/react-query';
import { useTranslations } from '../../i18n';
import { ButtonLink } from '../../ui/ButtonLink';
import { StateBadge } from '../shared/StateBadge';
import cardStyles from './DiagnosticCard.module.css';
import { DiagnosticCard } from './DiagnosticCard';
import styles from './Diagnostics.module.css';
import { statusQuery } from './status-query';
import { storageVerdict } from './verdicts';

export function StorageCard() {
  const t = useTranslations('admin.diagnostics');
  const { data, error, refetch, dataUpdatedAt } = useQuery(statusQuery);
  return (
    <DiagnosticCard
      subject="storage"
      icon={HardDrive}
      verdict={data && storageVerdict(data.checks)}
      at={data ? new Date(dataUpdatedAt).toISOString() : null}
      error={error}
      onRetry={() => void refetch()}
    >
      {data && (
        <dl className={styles.facts}>
          <dt>{t('checks.storage')}</dt>
          <dd>
            <StateBadge state={data.checks.storage} />
          </dd>
          <dt>{t('checks.control')}</dt>
          <dd>
            <StateBadge state={data.checks.control} />
          </dd>
        </dl>
      )}
      <div className={cardStyles.actions}>
        <ButtonLink href="/diagnostics">{t('openSystem')}</ButtonLink>
      </div>
    </DiagnosticCard>
  );
}
