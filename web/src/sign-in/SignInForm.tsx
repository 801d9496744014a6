import { session } from '../api/session-store';
import { useTranslations } from '../i18n';
import { rawTextIn, textIn } from '../ui/form-text';
import { PasswordField, PlainField } from './PlainField';
import { PlainForm } from './PlainForm';

/** Email and password. Signing in changes the session, and the component that shows the form reacts to that. */
export function SignInForm() {
  const t = useTranslations('session');
  return (
    <PlainForm
      submitLabel={t('signIn')}
      onSubmit={(form) => session.signIn(textIn(form, 'email'), rawTextIn(form, 'password'))}
    >
      <PlainField
        name="email"
        type="email"
        label={t('email')}
        autoComplete="username"
        missing={t('emailMissing')}
        autoFocus
      />
      <PasswordField
        name="password"
        label={t('password')}
        autoComplete="current-password"
        missing={t('passwordMissing')}
      />
    </PlainForm>
  );
}
