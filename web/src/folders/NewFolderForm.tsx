import { type FormEvent, type KeyboardEvent, useState } from 'react';
import { Form } from 'react-aria-components/Form';
import { apiFor, body } from '../api/client';
import { validationErrors } from '../api/problem';
import { useLibrary } from '../library/use-library';
import { useTranslations } from '../i18n';
import { Button } from '../ui/Button';
import { ProblemNote } from '../ui/ErrorState';
import { textIn } from '../ui/form-text';
import { TextField } from '../ui/TextField';
import { siblingNamed } from '../library/folder-tree';
import { MAX_NAME } from './FolderTree';
import styles from './NewFolderForm.module.css';

export interface NewFolderFormProps {
  readonly parentId: string | null;
  onCreated: (folderId: string) => void;
  onCancel: () => void;
}

/** One line within a dialog: Enter creates the folder, Escape only closes the line. */
export function NewFolderForm({ parentId, onCreated, onCancel }: NewFolderFormProps) {
  const t = useTranslations('dialogs');
  const top = useTranslations('folders')('top');
  const { scope, cache, tree } = useLibrary();
  const [isPending, setPending] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const errors = validationErrors(error);
  const folder = parentId === null ? top : (tree?.byId.get(parentId)?.name ?? '');

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const name = textIn(new FormData(event.currentTarget), 'name');
    setPending(true);
    setError(null);
    try {
      const { folderId } = await body(
        apiFor(scope.basePath).POST('/assets/folders', { body: { name, parentId } }),
      );
      await cache.refetch('folders', 'assets');
      onCreated(folderId);
    } catch (problem) {
      setError(problem);
      setPending(false);
    }
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return;
    event.stopPropagation();
    onCancel();
  };
  const validate = (name: string) =>
    tree && siblingNamed(tree, parentId, name) ? t('createFolder.taken', { name: name.trim() }) : null;
  return (
    <Form validationErrors={errors} onSubmit={(event) => void submit(event)}>
      <div className={styles.line} onKeyDown={onKeyDown}>
        <TextField
          name="name"
          label={t('move.createIn', { folder })}
          className={styles.field}
          maxLength={MAX_NAME}
          missing={t('createFolder.nameMissing')}
          autoFocus
          validate={validate}
        />
        <Button type="submit" size="large" isPending={isPending}>
          {t('createFolder.confirm')}
        </Button>
      </div>
      {error !== null && !errors['name'] && <ProblemNote error={error} />}
    </Form>
  );
}
