import type { Schemas } from '../../../api/client';
import { useTranslations } from '../../../i18n';
import { textIn } from '../../../ui/form-text';
import { TextField } from '../../../ui/TextField';
import type { KindForm, TargetFieldsProps } from './kind-form';

export const WORDPRESS: KindForm<Schemas['CreateWordPressTargetDto']> = {
  Fields: WordPressFields,
  newTargetIn: (form) => ({
    kind: 'wordpress',
    baseUrl: textIn(form, 'baseUrl'),
    username: textIn(form, 'username'),
    applicationPassword: textIn(form, 'applicationPassword'),
  }),
  changesIn: (form) => ({
    username: textIn(form, 'username'),
    applicationPassword: textIn(form, 'applicationPassword') || undefined,
  }),
  addressOf: ({ baseUrl }) => baseUrl,
  steps: ['address', 'rest-api', 'credentials', 'upload-permission'],
};

function WordPressFields({ target, replaced }: TargetFieldsProps) {
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
