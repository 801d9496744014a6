import { Building2 } from 'lucide-react';
import { useTranslations } from '../i18n';
import { ButtonLink } from '../ui/ButtonLink';
import { MissingPage } from './MissingPage';

export default function MissingClient() {
  const t = useTranslations('missing');
  return (
    <MissingPage
      icon={<Building2 />}
      title={t('client.title')}
      action={
        <ButtonLink href="/clients" variant="primary">
          {t('client.action')}
        </ButtonLink>
      }
    >
      {t('client.text')}
    </MissingPage>
  );
}
