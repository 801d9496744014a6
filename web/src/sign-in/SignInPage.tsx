import { Info } from 'lucide-react';
import { LogoMark } from '../ui/LogoMark';
import { usePageTitle } from '../ui/use-page-title';
import { useTranslations } from '../i18n';
import styles from './SignIn.module.css';
import { SignInForm } from './SignInForm';
import { useSessionState } from '../api/use-session';

export function SignInPage({ onInput }: { onInput: () => void }) {
  const t = useTranslations('session');
  const { reason } = useSessionState();
  usePageTitle(t('title'));
  return (
    <main className={styles.page} onInput={onInput}>
      <div className={styles.card}>
        <div className={styles.logo}>
          <LogoMark />
        </div>
        <div>
          <h1 className={styles.title}>{t('title')}</h1>
          <p className={styles.subtitle}>{t('subtitle')}</p>
        </div>
        {reason && (
          <p className={styles.reason} role="status">
            <Info size={16} aria-hidden />
            {t(`reason.${reason}`)}
          </p>
        )}
        <SignInForm />
      </div>
      <a className={styles.docs} href="/docs">
        {t('apiDocs')}
      </a>
    </main>
  );
}
