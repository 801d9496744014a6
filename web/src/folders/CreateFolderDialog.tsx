import { apiFor, body } from '../api/client';
import { useLibrary } from '../library/use-library';
import { useTranslations } from '../i18n';
import { FormDialog } from '../ui/FormDialog';
import { TextField } from '../ui/TextField';
import { showToast } from '../ui/toasts';
import { siblingNamed } from '../library/folder-tree';
import { useFolderCommands } from './folder-commands';

export interface CreateFolderDialogProps {
  readonly parentId: string | null;
  onClose: () => void;
}

export default function CreateFolderDialog({ parentId, onClose }: CreateFolderDialogProps) {
  const t = useTranslations('dialogs.createFolder');
  const top = useTranslations('folders')('top');
  const { scope, cache, tree } = useLibrary();
  const { open } = useFolderCommands();
  const parent = parentId === null ? top : (tree?.byId.get(parentId)?.name ?? '');

  const create = async (form: FormData) => {
    const name = (form.get('name') as string).trim();
    const folder = await body(apiFor(scope.basePath).POST('/assets/folders', { body: { name, parentId } }));
    await cache.refetch('folders', 'assets');
    showToast({
      tone: 'success',
      title: t('done', { name: folder.name }),
      action: { label: t('open'), onAction: () => open(folder.folderId) },
    });
  };
  const validate = (name: string) =>
    tree && siblingNamed(tree, parentId, name) ? t('taken', { name: name.trim() }) : null;
  return (
    <FormDialog
      title={t('title')}
      isOpen
      onOpenChange={(isOpen) => !isOpen && onClose()}
      size="small"
      submitLabel={t('confirm')}
      onSubmit={create}
    >
      <TextField
        name="name"
        label={t('name')}
        description={t('where', { folder: parent })}
        maxLength={120}
        missing={t('nameMissing')}
        autoFocus
        validate={validate}
      />
    </FormDialog>
  );
}
