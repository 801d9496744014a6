import { useNavigate, useSearch } from '@tanstack/react-router';
import { useTranslations } from '../../i18n';
import { useScope } from '../../scope/scope';
import { type ActivitySearch, KINDS_OF_PORTAL } from './activity-search';
import { ActivityView } from './ActivityView';

/** Who did what in the own library. */
export function PortalActivityPage() {
  const t = useTranslations('admin.audit');
  const search: ActivitySearch = useSearch({ from: '/app/library/activity' });
  const navigate = useNavigate({ from: '/library/activity' });
  return (
    <ActivityView
      scope={useScope()}
      title={t('title')}
      description={t('description')}
      kinds={KINDS_OF_PORTAL}
      search={search}
      onSearch={(next) => void navigate({ search: next, replace: true })}
    />
  );
}
