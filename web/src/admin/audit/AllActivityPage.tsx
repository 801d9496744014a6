import { useNavigate, useSearch } from '@tanstack/react-router';
import { useTranslations } from '../../i18n';
import { type ActivitySearch, KINDS_OF_PLATFORM } from './activity-search';
import { ActivityView } from './ActivityView';

/** Who did what in all clients, and to users, API keys and sign-ins. */
export function AllActivityPage() {
  const t = useTranslations('admin.audit');
  const search: ActivitySearch = useSearch({ from: '/app/activity' });
  const navigate = useNavigate({ from: '/activity' });
  return (
    <ActivityView
      scope={null}
      title={t('allTitle')}
      description={t('allDescription')}
      kinds={KINDS_OF_PLATFORM}
      search={search}
      onSearch={(next) => void navigate({ search: next, replace: true })}
    />
  );
}
