import { useTranslations } from '../../i18n';
import { useSession } from '../../api/use-session';
import { type UploadFailure, wordingOfFailure } from '../engine/failure';
import styles from './Panel.module.css';

/** Why it failed, and what to do about it. */
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
  const forClients = useTranslations('ui.forClients');
  const { side } = useSession();
  return (failure) => {
    const { reason, facts } = failure;
    const wording = side === 'portal' ? wordingOfFailure(failure) : null;
    return wording === null
      ? t(`reasons.${reason}`, {
          detail: facts.detail ?? '',
          status: facts.status ?? 0,
          origin: facts.origin ?? '',
        })
      : `${forClients(`${wording}.title`)}. ${forClients(`${wording}.detail`)}`;
  };
}
