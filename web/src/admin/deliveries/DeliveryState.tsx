import { useTranslations } from '../../i18n';
import { StateBadge } from '../shared/StateBadge';
import type { Delivery } from './deliveries-query';
import styles from './Deliveries.module.css';

/** The state; after a failure also the step, the cause and the number of attempts. */
export function DeliveryState({ delivery }: { delivery: Delivery }) {
  const t = useTranslations('admin.deliveries');
  const { status, attempts, lastError } = delivery;
  return (
    <div className={styles.state}>
      <span className={styles.badges}>
        <StateBadge state={status} />
        {attempts > 1 && <span className={styles.attempts}>{t('attempts', { count: attempts })}</span>}
      </span>
      {lastError && (
        <p className={styles.error}>
          <strong>{t(`steps.${lastError.step}`)}</strong> {lastError.detail}
        </p>
      )}
    </div>
  );
}
