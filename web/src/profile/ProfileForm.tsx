import { type ReactNode, useState } from 'react';
import { Form } from 'react-aria-components/Form';
import { validationErrors } from '../api/problem';
import { Card } from '../admin/shared/AdminPage';
import { Button } from '../ui/Button';
import { ProblemNote } from '../ui/ErrorState';
import styles from './ProfilePage.module.css';

interface ProfileFormProps {
  submitLabel: string;
  /** A problem shows at its fields, or above the button. */
  onSubmit: (form: FormData) => Promise<unknown>;
  children: ReactNode;
}

export function ProfileForm({ submitLabel, onSubmit, children }: ProfileFormProps) {
  const [isPending, setPending] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const submit = async (form: HTMLFormElement) => {
    setPending(true);
    setError(null);
    try {
      await onSubmit(new FormData(form));
      form.reset();
    } catch (problem) {
      setError(problem);
    } finally {
      setPending(false);
    }
  };
  return (
    <Card>
      <Form
        className={styles.form}
        validationErrors={validationErrors(error)}
        onSubmit={(event) => {
          event.preventDefault();
          void submit(event.currentTarget);
        }}
      >
        {children}
        {error !== null && <ProblemNote error={error} />}
        <Button type="submit" isPending={isPending}>
          {submitLabel}
        </Button>
      </Form>
    </Card>
  );
}
