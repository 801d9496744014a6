import { CircleAlert, CloudOff } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslations } from '../../i18n';
import { Button } from '../../ui/Button';
import { classNames } from '../../ui/class-names';
import type { UploadEngine, UploadSnapshot } from '../engine/upload-engine';
import { FailureText } from './FailureText';
import styles from './Panel.module.css';

/** Notices that concern several uploads, with actions for all of them. */
export function Notices({ snapshot, engine }: { snapshot: UploadSnapshot; engine: UploadEngine }) {
  const t = useTranslations('uploads');
  const { isOffline, unfinished, obstacle, failed, rows } = snapshot;
  const retryable = rows.some(({ state, failure }) => state === 'failed' && !failure?.isFinal);
  return (
    <>
      {obstacle && (
        <Notice
          tone="danger"
          icon={<CircleAlert aria-hidden />}
          actions={
            <Button variant="secondary" onPress={() => engine.retry()}>
              {t('tryAgain')}
            </Button>
          }
        >
          <FailureText failure={obstacle} />
          {unfinished > 0 && <p>{t('restWaits', { count: unfinished })}</p>}
        </Notice>
      )}
      {isOffline && unfinished > 0 && (
        <Notice tone="warning" icon={<CloudOff aria-hidden />}>
          {t('offline')}
        </Notice>
      )}
      {failed > 1 && !obstacle && (
        <div className={styles.strip}>
          <span>{t('failedCount', { count: failed })}</span>
          {retryable && (
            <Button variant="ghost" onPress={() => engine.retry()}>
              {t('retryAll')}
            </Button>
          )}
          <Button variant="ghost" onPress={() => engine.dismissFailed()}>
            {t('dismissAll')}
          </Button>
        </div>
      )}
    </>
  );
}

interface NoticeProps {
  tone: 'danger' | 'warning';
  icon: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}

function Notice({ tone, icon, actions, children }: NoticeProps) {
  return (
    <div
      className={classNames(styles.notice, tone === 'danger' ? styles.noticeDanger : styles.noticeWarning)}
    >
      {icon}
      <div className={styles.noticeText}>
        {children}
        {actions && <div className={styles.noticeActions}>{actions}</div>}
      </div>
    </div>
  );
}
