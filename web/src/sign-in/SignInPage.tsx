import { useSessionState } from '../api/use-session';
import { useTranslations } from '../i18n';
import { SignInCard, SignInNote } from './SignInCard';
import { SignInForm } from './SignInForm';
import styles from './SignIn.module.css';
import { usePasswordReset } from './use-password-reset';

export function SignInPage({ onInput }: { onInput: () => void }) {
  const t = useTranslations('session');
  const { reason } = useSessionState();
  const canReset = usePasswordReset();
  return (
    <main className={styles.page} onInput={onInput}>
      <SignInCard title={t('title')} text={t('subtitle')}>
        {reason && <SignInNote>{t(`reason.${reason}`)}</SignInNote>}
        <SignInForm />
        {canReset && (
          <a className={styles.forgot} href="/forgot-password">
            {t('forgotPassword')}
          </a>
        )}
      </SignInCard>
      <a className={styles.docs} href="/docs">
        {t('apiDocs')}
      </a>
    </main>
  );
}
