import './texts';
import { Eye, EyeOff } from 'lucide-react';
import { useState, type FormEvent } from 'react';
import { Form } from 'react-aria-components/Form';
import { ApiProblem } from '../api/problem';
import { useTranslations } from '../i18n';
import { Button } from '../ui/Button';
import { ProblemNote } from '../ui/ErrorState';
import { IconButton } from '../ui/IconButton';
import { TextField } from '../ui/TextField';
import { session } from './session-store';
import styles from './SignIn.module.css';
import { rawTextIn, textIn } from '../ui/form-text';

/** Email and password. Signing in changes the session; whoever shows the form reacts to that. */
export function SignInForm() {
  const t = useTranslations('session');
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
    <Form className={styles.form} onSubmit={(event) => void submit(event)}>
      {error !== null && (
        <ProblemNote error={error}>{wait && t('tryAgainIn', { seconds: wait })}</ProblemNote>
      )}
      <TextField name="email" type="email" label={t('email')} autoComplete="username" isRequired autoFocus />
      <TextField
        name="password"
        type={isShown ? 'text' : 'password'}
        label={t('password')}
        autoComplete="current-password"
        isRequired
        end={
          <IconButton
            label={isShown ? t('hidePassword') : t('showPassword')}
            icon={isShown ? <EyeOff aria-hidden /> : <Eye aria-hidden />}
            onPress={() => setShown(!isShown)}
          />
        }
      />
      <Button type="submit" variant="primary" size="large" isWide isPending={isPending}>
        {t('signIn')}
      </Button>
    </Form>
  );
}
