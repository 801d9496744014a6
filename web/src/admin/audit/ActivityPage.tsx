import { useNavigate, useSearch } from '@tanstack/react-router';
import { useTranslations } from '../../i18n';
import { useScope } from '../../scope/scope';
import { type ActivitySearch, KINDS_OF_CLIENT } from './activity-search';
import { ActivityView } from './ActivityView';

/** Who did what in a client. */
export function ActivityPage() {
  const t = useTranslations('admin.audit');
  const search: ActivitySearch = useSearch({ from: '/app/clients/$clientId/activity' });
  const navigate = useNavigate({ from: '/clients/$clientId/activity' });
  return (
    <ActivityView
      scope={useScope()}
      title={t('title')}
      description={t('description')}
      kinds={KINDS_OF_CLIENT}
      search={search}
      onSearch={(next) => void navigate({ search: next, replace: true })}
    />
  );
}
