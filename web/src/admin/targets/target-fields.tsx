import { useTranslations } from '../../i18n';
import { Select } from '../../ui/Select';
import { TextField } from '../../ui/TextField';
import type { Target } from './targets-query';

export function WordPressFields({ target }: { target?: Target }) {
  const t = useTranslations('admin.targets');
  return (
    <>
      {!target && (
        <TextField
          name="baseUrl"
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
        defaultValue={target?.username}
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

export function HttpFields({ target }: { target?: Target }) {
  const t = useTranslations('admin.targets');
  return (
    <>
      {!target && (
        <TextField
          name="url"
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
        defaultValue={target?.method ?? 'PUT'}
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
