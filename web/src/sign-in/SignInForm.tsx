import { Eye, EyeOff } from 'lucide-react';
import { useId, useState, type FormEvent } from 'react';
import { ApiProblem } from '../api/problem';
import { useTranslations } from '../i18n';
import { Button } from '../ui/Button';
import { ProblemNote } from '../ui/ErrorState';
import { session } from '../api/session-store';
import field from '../ui/Field.module.css';
import styles from './SignIn.module.css';
import { rawTextIn, textIn } from '../ui/form-text';

/**
 * Email and password. Signing in changes the session, and the component that shows the form reacts to that. Uses plain
 * fields, because React Aria's would make the sign-in page a tenth larger.
 */
export function SignInForm() {
  const t = useTranslations('session');
  const id = useId();
  const [isPending, setPending] = useState(false);
  const [isShown, setShown] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    setPending(true);
    setError(null);
    try {
      await session.signIn(textIn(form, 'email'), rawTextIn(form, 'password'));
    } catch (problem) {
      setError(problem);
    } finally {
      setPending(false);
    }
  };
  const wait = error instanceof ApiProblem && error.status === 429 ? error.retryAfter : null;
  return (
    <form className={styles.form} onSubmit={(event) => void submit(event)}>
      {error !== null && (
        <ProblemNote error={error}>{wait && t('tryAgainIn', { seconds: wait })}</ProblemNote>
      )}
      <div className={field.field}>
        <label className={field.label} htmlFor={`${id}-email`}>
          {t('email')}
        </label>
        <input
          id={`${id}-email`}
          name="email"
          type="email"
          className={field.input}
          autoComplete="username"
          required
          {...named(t('emailMissing'))}
          autoFocus
        />
      </div>
      <div className={field.field}>
        <label className={field.label} htmlFor={`${id}-password`}>
          {t('password')}
        </label>
        <div className={field.withEnd}>
          <input
            id={`${id}-password`}
            name="password"
            type={isShown ? 'text' : 'password'}
            className={field.input}
            autoComplete="current-password"
            required
            {...named(t('passwordMissing'))}
          />
          <div className={field.end}>
            <Button
              variant="ghost"
              className={styles.show}
              aria-label={isShown ? t('hidePassword') : t('showPassword')}
              icon={isShown ? <EyeOff aria-hidden /> : <Eye aria-hidden />}
              onPress={() => setShown(!isShown)}
            />
          </div>
        </div>
      </div>
      <Button type="submit" variant="primary" size="large" isWide isPending={isPending}>
        {t('signIn')}
      </Button>
    </form>
  );
}

/** The browser says what to enter into an empty field. */
function named(missing: string) {
  return {
    onInvalid: ({ currentTarget }: FormEvent<HTMLInputElement>) =>
      currentTarget.setCustomValidity(currentTarget.validity.valueMissing ? missing : ''),
    onInput: ({ currentTarget }: FormEvent<HTMLInputElement>) => currentTarget.setCustomValidity(''),
  };
}
