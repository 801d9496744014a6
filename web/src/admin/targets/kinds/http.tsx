import type { Schemas } from '../../../api/client';
import { useTranslations } from '../../../i18n';
import { textIn } from '../../../ui/form-text';
import { Select } from '../../../ui/Select';
import { TextField } from '../../../ui/TextField';
import type { KindForm, TargetFieldsProps } from './kind-form';

export const HTTP: KindForm<Schemas['CreateHttpTargetDto']> = {
  Fields: HttpFields,
  newTargetIn: (form) => ({
    kind: 'http',
    url: textIn(form, 'url'),
    method: methodIn(form),
    bearerToken: textIn(form, 'bearerToken') || null,
  }),
  changesIn: (form) => ({
    method: methodIn(form),
    bearerToken: textIn(form, 'bearerToken') || undefined,
  }),
  addressOf: ({ url }) => url,
  steps: ['address', 'reachable', 'credentials'],
};

const methodIn = (form: FormData) => (textIn(form, 'method') === 'POST' ? 'POST' : 'PUT');

function HttpFields({ target, replaced }: TargetFieldsProps) {
  const t = useTranslations('admin.targets');
  return (
    <>
      {!target && (
        <TextField
          name="url"
          defaultValue={replaced?.url}
          autoFocus={replaced !== undefined}
          type="url"
          label={t('endpoint')}
          placeholder="https://files.bakery.example/incoming"
          description={t('endpointHint')}
          missing={t('endpointMissing')}
        />
      )}
      <Select
        name="method"
        label={t('method')}
        options={[
          { id: 'PUT', label: 'PUT' },
          { id: 'POST', label: 'POST' },
        ]}
        defaultValue={(target ?? replaced)?.method ?? 'PUT'}
      />
      <TextField
        name="bearerToken"
        type="password"
        label={t('bearerToken')}
        description={target?.hasBearerToken ? t('keepSecret') : t('bearerTokenHint')}
        autoComplete="off"
        isOptional
      />
    </>
  );
}
