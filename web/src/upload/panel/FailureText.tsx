import { useTranslations } from '../../i18n';
import type { UploadFailure } from '../engine/failure';
import styles from './Panel.module.css';

/** The step that failed, why, and what to do about it. */
export function FailureText({ failure }: { failure: UploadFailure }) {
  const t = useTranslations('uploads');
  const { requestId } = failure.facts;
  return (
    <>
      <p>{useFailureText()(failure)}</p>
      {requestId && (
        <p className={styles.requestId}>
          {t.rich('requestId', { id: requestId, code: (text) => <code>{text}</code> })}
        </p>
      )}
    </>
  );
}

export function useFailureText(): (failure: UploadFailure) => string {
  const t = useTranslations('uploads');
  return ({ step, reason, facts }) => {
    const cause = t(`reasons.${reason}`, {
      detail: facts.detail ?? '',
      status: facts.status ?? 0,
      origin: facts.origin ?? '',
    });
    return t('failure', { step: t(`steps.${step}`), cause });
  };
}
