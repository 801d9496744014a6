import { type FormEvent, type ReactNode, useState } from 'react';
import { ApiProblem } from '../api/problem';
import { useTranslations } from '../i18n';
import { Button } from '../ui/Button';
import { ProblemNote } from '../ui/ErrorState';
import styles from './SignIn.module.css';

interface PlainFormProps {
  submitLabel: string;
  /** A problem is shown above the fields. */
  onSubmit: (form: FormData) => Promise<unknown>;
  children: ReactNode;
}

/** A form of the pages that need no sign-in. */
export function PlainForm({ submitLabel, onSubmit, children }: PlainFormProps) {
  const t = useTranslations('session');
  const [isPending, setPending] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    setPending(true);
    setError(null);
    try {
      await onSubmit(form);
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
      {children}
      <Button type="submit" variant="primary" size="large" isWide isPending={isPending}>
        {submitLabel}
      </Button>
    </form>
  );
}
