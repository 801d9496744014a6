import { Compass } from 'lucide-react';
import { useTranslations } from '../i18n';
import { Button, ButtonLink } from '../ui/Button';
import { EmptyState } from '../ui/EmptyState';
import { ErrorState } from '../ui/ErrorState';
import { usePageTitle } from './use-page-title';

export function NotFoundPage() {
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

export function ErrorPage({ error }: { error: unknown }) {
  const t = useTranslations('shell');
  return (
    <main>
      <ErrorState error={error} action={<Button onPress={() => location.reload()}>{t('reload')}</Button>} />
    </main>
  );
}
