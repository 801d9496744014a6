import { useQuery } from '@tanstack/react-query';
import { useTranslations } from '../../i18n';
import { useFormat } from '../../i18n/use-format';
import { ErrorState } from '../../ui/ErrorState';
import { Skeleton } from '../../ui/Skeleton';
import { AdminSection } from '../shared/AdminPage';
import { StateBadge } from '../shared/StateBadge';
import styles from './Diagnostics.module.css';
import { statusQuery } from './status-query';

const CHECKS = ['database', 'storage', 'control', 'queue', 'temp'] as const;

/** Database, storage, background work and temporary files at a glance. */
export function StatusSection() {
  const t = useTranslations('admin.diagnostics');
  const format = useFormat();
  const { data, error, refetch } = useQuery(statusQuery);
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />;
  return (
    <AdminSection
      title={t('status')}
      description={
        data &&
        t('running', {
          version: data.version,
          since: format.dateTime(new Date(Date.now() - data.uptimeSeconds * 1000)),
        })
      }
    >
      <ul className={styles.checks}>
        {CHECKS.map((check) => (
          <li key={check} className={styles.check}>
            <span className={styles.checkName}>{t(`checks.${check}`)}</span>
            {data ? <StateBadge state={data.checks[check]} /> : <Skeleton width={72} height={20} />}
            {data && <Problem check={check} state={data.checks[check]} />}
          </li>
        ))}
      </ul>
    </AdminSection>
  );
}

/** What the state means and what to do, unless it is in order. */
function Problem({ check, state }: { check: (typeof CHECKS)[number]; state: string }) {
  const t = useTranslations('admin.diagnostics');
  const key = `problems.${check as 'queue'}.${state as 'delayed'}` as const;
  return t.has(key) ? <p className={styles.problem}>{t(key)}</p> : null;
}
