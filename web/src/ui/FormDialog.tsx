import { useState, type FormEvent, type ReactNode } from 'react';
import { Form } from 'react-aria-components/Form';
import { validationErrors } from '../api/problem';
import { useTranslations } from '../i18n';
import { Button } from './Button';
import { Dialog, DialogFooter, type DialogProps } from './Dialog';
import styles from './Dialog.module.css';
import { ProblemNote } from './ErrorState';

export interface FormDialogProps extends Pick<DialogProps, 'title' | 'isOpen' | 'onOpenChange' | 'size'> {
  submitLabel: string;
  isSubmitDisabled?: boolean;
  /** The dialog closes when this resolves, unless to false; a problem shows at its fields, or above the buttons. */
  onSubmit: (form: FormData) => Promise<unknown>;
  children: ReactNode;
}

export function FormDialog({ title, isOpen, onOpenChange, size, children, ...form }: FormDialogProps) {
  return (
    <Dialog title={title} isOpen={isOpen} onOpenChange={onOpenChange} size={size}>
      {({ close }) => (
        <DialogForm {...form} onDone={close}>
          {children}
        </DialogForm>
      )}
    </Dialog>
  );
}

type DialogFormProps = Pick<FormDialogProps, 'submitLabel' | 'isSubmitDisabled' | 'onSubmit' | 'children'> & {
  onDone: () => void;
};

function DialogForm({ submitLabel, isSubmitDisabled, onSubmit, onDone, children }: DialogFormProps) {
  const t = useTranslations('ui');
  const [isPending, setPending] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    setPending(true);
    setError(null);
    try {
      if ((await onSubmit(new FormData(event.currentTarget))) !== false) onDone();
    } catch (problem) {
      setError(problem);
    } finally {
      setPending(false);
    }
  };
  return (
    <Form
      className={styles.fields}
      validationErrors={validationErrors(error)}
      onSubmit={(event) => void submit(event)}
    >
      {children}
      {error !== null && <ProblemNote error={error} />}
      <DialogFooter>
        <Button onPress={onDone}>{t('cancel')}</Button>
        <Button type="submit" variant="primary" isPending={isPending} isDisabled={isSubmitDisabled}>
          {submitLabel}
        </Button>
      </DialogFooter>
    </Form>
  );
}
