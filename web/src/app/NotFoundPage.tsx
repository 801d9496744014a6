import { Compass } from 'lucide-react';
import { useTranslations } from '../i18n';
import missing from '../i18n/en/missing.json';
import { addTexts } from '../i18n/messages';
import { ButtonLink } from '../ui/ButtonLink';
import { EmptyState } from '../ui/EmptyState';
import { usePageTitle } from './use-page-title';

addTexts({ missing });

export default function NotFoundPage() {
  const t = useTranslations('missing');
  usePageTitle(t('title'));
  return (
    <main>
      <EmptyState
        icon={<Compass />}
        title={t('title')}
        action={
          <ButtonLink href="/" variant="primary">
            {t('home')}
          </ButtonLink>
        }
      >
        {t('text')}
      </EmptyState>
    </main>
  );
}
