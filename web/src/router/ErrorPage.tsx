import { useTranslations } from '../i18n';
import { Button } from '../ui/Button';
import { ErrorState } from '../ui/ErrorState';

export function ErrorPage({ error }: { error: unknown }) {
  const t = useTranslations('shell');
  return (
    <main>
      <ErrorState
        level={1}
        error={error}
        action={<Button onPress={() => location.reload()}>{t('reload')}</Button>}
      />
    </main>
  );
}
