import { adminApi, body } from '../../api/client';
import { useScope } from '../../scope/scope';
import { useTranslations } from '../../i18n';
import { FormDialog } from '../../ui/FormDialog';
import { TextField } from '../../ui/TextField';
import { textIn } from '../../ui/form-text';

interface LandingPageDialogProps {
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
  onSaved: () => Promise<void>;
}

export function LandingPageDialog({ onSaved, ...props }: LandingPageDialogProps) {
  const t = useTranslations('admin.landingPages');
  const { clientId } = useScope();
  const save = async (form: FormData) => {
    const text = (name: string) => textIn(form, name);
    await body(
      adminApi.POST('/admin/clients/{clientId}/landing-pages', {
        params: { path: { clientId } },
        body: { name: text('name'), slug: text('slug'), url: text('url') },
      }),
    );
    await onSaved();
  };
  return (
    <FormDialog {...props} title={t('add')} submitLabel={t('add')} onSubmit={save}>
      <TextField
        name="name"
        label={t('name')}
        placeholder={t('nameExample')}
        maxLength={200}
        missing={t('nameMissing')}
        autoFocus
      />
      <TextField
        name="slug"
        label={t('slug')}
        description={t('slugHint')}
        placeholder="autumn-bread"
        pattern="[a-z0-9\-]{1,100}"
        missing={t('slugMissing')}
      />
      <TextField
        name="url"
        type="url"
        label={t('url')}
        placeholder="https://bakery.example/autumn"
        maxLength={2000}
        missing={t('urlMissing')}
      />
    </FormDialog>
  );
}
