import { useState } from 'react';
import { adminApi, body, type Schemas } from '../../api/client';
import { useScope } from '../../scope/scope';
import { useTranslations } from '../../i18n';
import { FormDialog } from '../../ui/FormDialog';
import { Select } from '../../ui/Select';
import { TextField } from '../../ui/TextField';
import { textIn } from '../../ui/form-text';

type State = Schemas['PutIntegrationDto']['state'];
const STATES: readonly State[] = ['connected', 'expired', 'revoked', 'error'];

interface IntegrationDialogProps {
  integration?: Schemas['IntegrationDto'];
  onClose: () => void;
  onSaved: () => Promise<void>;
}

/** Records the state of a connection that is managed elsewhere. */
export function IntegrationDialog({ integration, onClose, onSaved }: IntegrationDialogProps) {
  const t = useTranslations('admin.integrations');
  const stateName = useTranslations('admin.states');
  const { clientId } = useScope();
  const [state, setState] = useState<State>(
    STATES.find((each) => each === integration?.state) ?? 'connected',
  );
  const save = async (form: FormData) => {
    const kind = integration?.kind ?? textIn(form, 'kind');
    await body(
      adminApi.PUT('/admin/clients/{clientId}/integrations/{kind}', {
        params: { path: { clientId, kind } },
        body: {
          name: textIn(form, 'name'),
          state,
          detail: textIn(form, 'detail') || null,
        },
      }),
    );
    await onSaved();
  };
  return (
    <FormDialog
      title={integration ? t('editTitle', { name: integration.name }) : t('add')}
      submitLabel={t('save')}
      isOpen
      onOpenChange={onClose}
      onSubmit={save}
    >
      {!integration && (
        <TextField
          name="kind"
          label={t('kind')}
          description={t('kindHint')}
          placeholder="analytics"
          missing={t('kindMissing')}
          autoFocus
        />
      )}
      <TextField
        name="name"
        label={t('name')}
        defaultValue={integration?.name}
        maxLength={200}
        missing={t('nameMissing')}
      />
      <Select
        label={t('state')}
        options={STATES.map((each) => ({ id: each, label: stateName(each) }))}
        value={state}
        onChange={setState}
      />
      <TextField
        name="detail"
        label={t('detail')}
        defaultValue={integration?.detail ?? ''}
        rows={3}
        maxLength={2000}
        isOptional
      />
    </FormDialog>
  );
}
