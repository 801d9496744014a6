import { Compass } from 'lucide-react';
import { useTranslations } from '../i18n';
import { ButtonLink } from '../ui/ButtonLink';
import { EmptyState } from '../ui/EmptyState';
import { usePageTitle } from './use-page-title';

export default function NotFoundPage() {
  const t = useTranslations('shell');
  usePageTitle(t('notFound.title'));
  return (
    <main>
      <EmptyState
        icon={<Compass />}
        title={t('notFound.title')}
        action={
          <ButtonLink href="/" variant="primary">
            {t('notFound.home')}
          </ButtonLink>
        }
      >
        {t('notFound.text')}
      </EmptyState>
    </main>
  );
}
