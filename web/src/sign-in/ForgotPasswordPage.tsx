import { useState } from 'react';
import { adminApi } from '../api/client';
import { useTranslations } from '../i18n';
import { textIn } from '../ui/form-text';
import { PlainField } from './PlainField';
import { PlainForm } from './PlainForm';
import { SignInCard } from './SignInCard';
import styles from './SignIn.module.css';

/** The answer is the same for every address, so the page says no more either. */
export function ForgotPasswordPage() {
  const t = useTranslations('account');
  const fields = useTranslations('session');
  const [sentTo, setSentTo] = useState<string | null>(null);
  const request = async (form: FormData) => {
    const email = textIn(form, 'email');
    await adminApi.POST('/auth/password/forgot', { body: { email } });
    setSentTo(email);
  };
  return (
    <main className={styles.page}>
      {sentTo === null ? (
        <SignInCard title={t('forgot.title')} text={t('forgot.text')}>
          <PlainForm submitLabel={t('forgot.submit')} onSubmit={request}>
            <PlainField
              name="email"
              type="email"
              label={fields('email')}
              autoComplete="username"
              missing={fields('emailMissing')}
              autoFocus
            />
          </PlainForm>
          <ToSignIn label={t('toSignIn')} />
        </SignInCard>
      ) : (
        <SignInCard title={t('forgot.sentTitle')} text={t('forgot.sentText', { email: sentTo })}>
          <ToSignIn label={t('toSignIn')} />
        </SignInCard>
      )}
    </main>
  );
}

function ToSignIn({ label }: { label: string }) {
  return (
    <a className={styles.forgot} href="/sign-in">
      {label}
    </a>
  );
}
