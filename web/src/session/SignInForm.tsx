import { useState, type FormEvent } from 'react';
import { Form } from 'react-aria-components/Form';
import { useTranslations } from '../i18n';
import { Button } from '../ui/Button';
import { ProblemNote } from '../ui/ErrorState';
import { TextField } from '../ui/TextField';
import { session } from './session-store';
import styles from './SignIn.module.css';

/** E-mail address and password. Signing in changes the session; whoever shows the form reacts to that. */
export function SignInForm() {
  const t = useTranslations('session');
  const [isPending, setPending] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    setPending(true);
    setError(null);
    try {
      await session.signIn(String(form.get('email')), String(form.get('password')));
    } catch (problem) {
      setError(problem);
    } finally {
      setPending(false);
    }
  };
  return (
    <Form className={styles.form} onSubmit={(event) => void submit(event)}>
      {error !== null && <ProblemNote error={error} />}
      <TextField name="email" type="email" label={t('email')} autoComplete="username" isRequired autoFocus />
      <TextField
        name="password"
        type="password"
        label={t('password')}
        autoComplete="current-password"
        isRequired
      />
      <Button type="submit" variant="primary" size="large" isWide isPending={isPending}>
        {t('signIn')}
      </Button>
    </Form>
  );
}
