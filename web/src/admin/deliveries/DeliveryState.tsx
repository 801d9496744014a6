import { useTranslations } from '../../i18n';
import { useFormat } from '../../i18n/use-format';
import { useNow } from '../../ui/use-now';
import { StateBadge } from '../shared/StateBadge';
import type { Delivery } from './deliveries-query';
import styles from './Deliveries.module.css';

const TICK_MS = 10_000;

/** The state; after a failure also the step, the cause, the number of attempts and when the next one is due. */
export function DeliveryState({ delivery }: { delivery: Delivery }) {
  const t = useTranslations('admin.deliveries');
  const { status, attempts, lastError, nextAttemptAt } = delivery;
  return (
    <div className={styles.state}>
      <span className={styles.badges}>
        <StateBadge state={status} />
        {attempts > 1 && <span className={styles.attempts}>{t('attempts', { count: attempts })}</span>}
        {lastError && nextAttemptAt && <NextAttempt at={nextAttemptAt} />}
      </span>
      {lastError && (
        <p className={styles.error}>
          <strong>{t(`steps.${lastError.step}`)}</strong> {lastError.detail}
        </p>
      )}
    </div>
  );
}

function NextAttempt({ at }: { at: string }) {
  const t = useTranslations('admin.deliveries');
  const format = useFormat();
  const minutes = Math.ceil((Date.parse(at) - useNow(TICK_MS)) / 60_000);
  return (
    <time className={styles.attempts} dateTime={at} title={format.dateTime(at)}>
      {minutes > 0 ? t('retryingIn', { minutes }) : t('retryingNow')}
    </time>
  );
}
