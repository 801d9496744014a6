import { useTranslations } from '../../i18n';
import { Select } from '../../ui/Select';
import { TextField } from '../../ui/TextField';
import type { Target } from './targets-query';

interface TargetFieldsProps {
  /** The target to edit: its address cannot be changed, and its secret is kept. */
  target?: Target;
  /** The target that is entered again. */
  replaced?: Target;
}

export function WordPressFields({ target, replaced }: TargetFieldsProps) {
  const t = useTranslations('admin.targets');
  return (
    <>
      {!target && (
        <TextField
          name="baseUrl"
          defaultValue={replaced?.baseUrl}
          autoFocus={replaced !== undefined}
          type="url"
          label={t('siteUrl')}
          placeholder="https://bakery.example"
          description={t('siteUrlHint')}
          missing={t('siteUrlMissing')}
        />
      )}
      <TextField
        name="username"
        label={t('username')}
        description={t('usernameHint')}
        defaultValue={(target ?? replaced)?.username}
        autoComplete="off"
        missing={t('usernameMissing')}
      />
      <TextField
        name="applicationPassword"
        type="password"
        label={t('applicationPassword')}
        description={target ? t('keepSecret') : t('applicationPasswordHint')}
        autoComplete="off"
        missing={target ? undefined : t('applicationPasswordMissing')}
      />
    </>
  );
}

export function HttpFields({ target, replaced }: TargetFieldsProps) {
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
