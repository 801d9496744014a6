import { useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { adminApi, body, type Schemas } from '../api/client';
import { ApiProblem } from '../api/problem';
import { session } from '../api/session-store';
import { useSessionState } from '../api/use-session';
import { useTranslations } from '../i18n';
import { ErrorState } from '../ui/ErrorState';
import { rawTextIn } from '../ui/form-text';
import { SHORTEST_PASSWORD } from './password-rule';
import { PasswordField } from './PlainField';
import { PlainForm } from './PlainForm';
import { SignInCard, SignInNote } from './SignInCard';
import { usePasswordReset } from './use-password-reset';
import styles from './SignIn.module.css';

type Invitation = Schemas['InvitationDto'];
type State = { invitation: Invitation } | { error: unknown } | null;

const isInvalid = (error: unknown) => error instanceof ApiProblem && error.code === 'link_invalid';

/** The token is in the fragment of the address, which browsers do not send. */
const tokenInAddress = () => location.hash.slice(1);

/** Opened with an invitation, or a link to choose a new password. */
export function InvitationPage() {
  const [state, setState] = useState<State>(null);
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    const check = async () => {
      const request = adminApi.POST('/auth/invitations/check', { body: { token: tokenInAddress() || '-' } });
      return { invitation: await body(request) };
    };
    const load = () =>
      void check()
        .catch((error: unknown) => ({ error }))
        .then(setState);
    load();
    // Another link opened in the same tab only changes the fragment.
    addEventListener('hashchange', load);
    return () => removeEventListener('hashchange', load);
  }, [attempt]);
  return (
    <main className={styles.page}>
      {state === null ? null : 'invitation' in state ? (
        <PasswordForm invitation={state.invitation} onInvalid={(error) => setState({ error })} />
      ) : isInvalid(state.error) ? (
        <InvalidLink />
      ) : (
        <ErrorState error={state.error} level={1} onRetry={() => setAttempt(attempt + 1)} />
      )}
    </main>
  );
}

interface PasswordFormProps {
  invitation: Invitation;
  onInvalid: (error: unknown) => void;
}

function PasswordForm({ invitation: { isInvitation, name, email }, onInvalid }: PasswordFormProps) {
  const t = useTranslations('account.invitation');
  const navigate = useNavigate();
  const { user } = useSessionState();
  const accept = async (form: FormData) => {
    try {
      await session.signInWithLink(tokenInAddress(), rawTextIn(form, 'password'));
    } catch (error) {
      if (!isInvalid(error)) throw error;
      return onInvalid(error);
    }
    await navigate({ to: '/', replace: true });
  };
  return (
    <SignInCard
      title={isInvitation ? t('title', { name }) : t('resetTitle')}
      text={t.rich('text', { email, strong: (text) => <strong>{text}</strong> })}
    >
      {user?.email && user.email !== email && (
        <SignInNote>{t('otherUser', { email: user.email })}</SignInNote>
      )}
      <PlainForm submitLabel={t('submit')} onSubmit={accept}>
        {/* So that password managers know whose password it is. */}
        <input type="email" name="email" autoComplete="username" value={email} readOnly hidden />
        <PasswordField
          name="password"
          label={t('password')}
          autoComplete="new-password"
          minLength={SHORTEST_PASSWORD}
          hint={t('rule', { count: SHORTEST_PASSWORD })}
          missing={t('missing')}
          autoFocus
        />
      </PlainForm>
    </SignInCard>
  );
}

function InvalidLink() {
  const t = useTranslations('account');
  const canReset = usePasswordReset();
  return (
    <SignInCard
      title={t('invitation.invalidTitle')}
      text={t(canReset ? 'invitation.invalidTextWithMail' : 'invitation.invalidText')}
    >
      <a className={styles.forgot} href="/sign-in">
        {t('toSignIn')}
      </a>
    </SignInCard>
  );
}
