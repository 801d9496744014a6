import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { adminApi, body } from '../../api/client';
import { clientsQuery, type Client } from '../../scope/clients-query';
import { useTranslations } from '../../i18n';
import { FormDialog } from '../../ui/FormDialog';
import { TextField } from '../../ui/TextField';
import { showToast } from '../../ui/toasts';
import { textIn } from '../../ui/form-text';

interface ClientDialogProps {
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
  /** The client to rename. If absent, the dialog creates one. */
  client?: Client;
}

export function ClientDialog({ isOpen, onOpenChange, client }: ClientDialogProps) {
  const t = useTranslations('admin.clients');
  const queries = useQueryClient();
  const navigate = useNavigate();
  const submit = async (form: FormData) => {
    const name = textIn(form, 'name');
    if (client) {
      const params = { path: { clientId: client.clientId } };
      await body(adminApi.PATCH('/admin/clients/{clientId}', { params, body: { name } }));
      showToast({ tone: 'success', title: t('renamed', { name }) });
    } else {
      const clientId = textIn(form, 'clientId') || undefined;
      const created = await body(adminApi.POST('/admin/clients', { body: { name, clientId } }));
      void navigate({ to: '/clients/$clientId/assets', params: { clientId: created.clientId } });
      showToast({ tone: 'success', title: t('created', { name }) });
    }
    await queries.invalidateQueries({ queryKey: clientsQuery.queryKey });
  };
  return (
    <FormDialog
      isOpen={isOpen}
      onOpenChange={onOpenChange}
      title={client ? t('renameTitle') : t('create')}
      submitLabel={client ? t('rename') : t('createSubmit')}
      onSubmit={submit}
    >
      <TextField
        name="name"
        label={t('name')}
        defaultValue={client?.name}
        maxLength={200}
        missing={t('nameMissing')}
        autoFocus
      />
      {!client && (
        <TextField
          name="clientId"
          label={t('id')}
          description={t('idHint')}
          placeholder="corner-bakery"
          pattern="[A-Za-z0-9][A-Za-z0-9_\-]{0,63}"
          isOptional
        />
      )}
    </FormDialog>
  );
}
