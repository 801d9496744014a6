import { Info } from 'lucide-react';
import { preloadSignedInPages } from '../app/load-signed-in-pages';
import { LogoMark } from '../app/LogoMark';
import { usePageTitle } from '../app/use-page-title';
import { useTranslations } from '../i18n';
import styles from './SignIn.module.css';
import { SignInForm } from './SignInForm';
import { useSessionState } from './use-session';

export function SignInPage() {
  const t = useTranslations('session');
  const { reason } = useSessionState();
  usePageTitle(t('title'));
  // The library loads while the user types.
  return (
    <main className={styles.page} onInput={preloadSignedInPages}>
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
